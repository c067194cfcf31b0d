"""Makes the models: data, training, export (extra `train`, the only place that knows torch)."""
