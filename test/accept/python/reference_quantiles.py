"""Quantiles of histograms in a body of the Prometheus text format, worked out apart from the prober, as PromQL defines them."""

import json
import sys
from collections import defaultdict

from prometheus_client.parser import text_string_to_metric_families

SHARES = (0.5, 0.95, 0.99)


def quantile(share, bounds):
    """`bounds`: pairs of an upper bound and the observations up to it, ascending, the infinite one last."""
    rank = share * bounds[-1][1]
    for index, (upper, count) in enumerate(bounds):
        if count < rank:
            continue
        lower, below = bounds[index - 1] if index else (0.0, 0.0)
        return lower if upper == float("inf") else lower + (upper - lower) * (rank - below) / (count - below)


found = {}
for family in text_string_to_metric_families(sys.stdin.read()):
    if family.name not in sys.argv[1:]:
        continue
    buckets = defaultdict(float)
    for sample in family.samples:
        if sample.name.endswith("_bucket"):
            buckets[float(sample.labels["le"])] += sample.value
    found[family.name] = [quantile(share, sorted(buckets.items())) for share in SHARES]
json.dump(found, sys.stdout)
