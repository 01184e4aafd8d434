// Colours of figures: a perceptually uniform map, distinct colours for ids, and the two themes.

const linear = (v) => Math.pow(v, 2.2);

/** 256 colours of the map as light, three numbers each, from the few that the header lists. */
function mapTable(points) {
    const table = new Float32Array(768), last = points.length / 3 - 1;
    for (let i = 0; i < 256; i++) {
        const place = i / 255 * last, k = Math.min(Math.floor(place), last - 1), part = place - k;
        for (let c = 0; c < 3; c++)
            table[3 * i + c] = linear((points[3 * k + c] * (1 - part) + points[3 * k + 3 + c] * part) / 255);
    }
    return table;
}

/** The map as a CSS gradient. */
function mapGradient(points) {
    const n = points.length / 3;
    const stops = Array.from({ length: n }, (_, k) => `rgb(${points[3 * k]},${points[3 * k + 1]},${points[3 * k + 2]})`);
    return `linear-gradient(to right, ${stops.join(", ")})`;
}

/** A colour for an id, well apart from those of its neighbours: hues by the golden ratio. */
function distinct(id) {
    const hue = (id * 0.61803398875) % 1;
    return [0, 0.667, 0.333].map((shift) => linear(0.58 + 0.26 * Math.cos(2 * Math.PI * (hue + shift))));
}

const hexLight = (hex) => [1, 3, 5].map((k) => linear(parseInt(hex.slice(k, k + 2), 16) / 255));

const STICK = hexLight("#0072b2"), SLIP = hexLight("#e06a00"), OPEN = hexLight("#9a9a9a");

/** Light and colours of the two themes. */
const THEMES = {
    light: {
        low: hexLight("#e3e8ee"), high: hexLight("#fbfcfd"), floor: hexLight("#d5d9de"), fixed: hexLight("#b9bfc7"),
        pale: hexLight("#d9dde2"), ink: hexLight("#2a2f36"), sky: [0.62, 0.64, 0.68], ground: [0.30, 0.29, 0.28], sun: [0.62, 0.60, 0.56],
    },
    dark: {
        low: hexLight("#191d22"), high: hexLight("#2b3139"), floor: hexLight("#4a515a"), fixed: hexLight("#7c858f"),
        pale: hexLight("#5a616a"), ink: hexLight("#0b0d10"), sky: [0.50, 0.52, 0.56], ground: [0.20, 0.20, 0.21], sun: [0.78, 0.76, 0.72],
    },
};
