"""Reads a body in the Prometheus text format and writes its samples as JSON, as the reference parser sees them."""

import json
import math
import sys

from prometheus_client.parser import text_string_to_metric_families

samples = [
    {"name": sample.name, "labels": sample.labels, "value": sample.value}
    for family in text_string_to_metric_families(sys.stdin.read())
    for sample in family.samples
    if math.isfinite(sample.value)
]
json.dump(samples, sys.stdout)
