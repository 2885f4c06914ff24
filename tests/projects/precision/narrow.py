"""The program that does not: its configuration says so."""

import json
import os

from lib.loop import train, train_on
from lib.model import build

CONFIG = json.loads(os.environ.get("PRECISION", '{"wide": false, "platform": "cpu"}'))

weights = train(CONFIG, build(3))
moved = train_on(CONFIG, build(3))
