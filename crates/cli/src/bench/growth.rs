//! How the cost of a solver grows with the number of contacts.

/// `seconds = factor * contacts^exponent`, fitted by least squares in logarithms.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
pub struct Growth {
    /// The exponent.
    pub exponent: f64,
    /// Its standard error; zero for an exact fit.
    pub deviation: f64,
    /// The factor.
    pub factor: f64,
    /// Problems in the fit.
    pub problems: usize,
}

/// Problems below this many contacts cost what calling a solver costs, whatever it does.
pub const SMALLEST: usize = 10;

/// Fits (contacts, seconds); none with fewer than three problems or sizes that span less than a factor of two.
pub fn fit(points: &[(usize, f64)]) -> Option<Growth> {
    let logs: Vec<(f64, f64)> =
        points.iter().filter(|p| p.0 >= SMALLEST && p.1 > 0.0).map(|(n, t)| ((*n as f64).ln(), t.ln())).collect();
    let low = logs.iter().map(|p| p.0).fold(f64::INFINITY, f64::min);
    let high = logs.iter().map(|p| p.0).fold(f64::NEG_INFINITY, f64::max);
    if logs.len() < 3 || high - low < 2f64.ln() {
        return None;
    }
    let n = logs.len() as f64;
    let (mx, my) = (logs.iter().map(|p| p.0).sum::<f64>() / n, logs.iter().map(|p| p.1).sum::<f64>() / n);
    let sxx: f64 = logs.iter().map(|p| (p.0 - mx).powi(2)).sum();
    let sxy: f64 = logs.iter().map(|p| (p.0 - mx) * (p.1 - my)).sum();
    let exponent = sxy / sxx;
    let rest: f64 = logs.iter().map(|p| (p.1 - my - exponent * (p.0 - mx)).powi(2)).sum();
    let deviation = (rest / (n - 2.0) / sxx).sqrt();
    Some(Growth { exponent, deviation, factor: (my - exponent * mx).exp(), problems: logs.len() })
}

impl Growth {
    /// The fitted time.
    pub fn seconds(&self, contacts: f64) -> f64 {
        self.factor * contacts.powf(self.exponent)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_exact_power_is_found() {
        let points: Vec<(usize, f64)> =
            [10, 50, 300, 4000].iter().map(|n| (*n, 2e-6 * (*n as f64).powf(1.5))).collect();
        let g = fit(&points).unwrap();
        assert!((g.exponent - 1.5).abs() < 1e-12 && g.deviation < 1e-10 && (g.factor / 2e-6 - 1.0).abs() < 1e-10);
        assert!((g.seconds(300.0) / points[2].1 - 1.0).abs() < 1e-10);
        assert_eq!(g.problems, 4);
    }

    #[test]
    fn the_standard_error_of_a_line_worked_by_hand() {
        // ln t = 0, 1, 0 over ln n = 3, 4, 5: slope 0, residual sum 2/3, sxx 2, so sqrt(2/3 / 1 / 2)
        let at = |x: f64| x.exp().round() as usize;
        let points = [(at(3.0), 1.0), (at(4.0), 1f64.exp()), (at(5.0), 1.0)];
        let g = fit(&points).unwrap();
        assert!(g.exponent.abs() < 5e-3 && (g.deviation - (1f64 / 3.0).sqrt()).abs() < 5e-3, "{g:?}");
    }

    #[test]
    fn small_problems_do_not_count_and_too_few_are_no_fit() {
        assert!(fit(&[(1, 1e-6), (5, 1e-6), (100, 1e-3), (1000, 1e-2)]).is_none());
        assert!(fit(&[(100, 1e-3), (110, 1e-3), (120, 1e-2)]).is_none());
        assert!(fit(&[(100, 1e-3), (200, 1e-3), (100, 0.0)]).is_none());
    }
}
