from shop.cycle_a import even
from shop.jax import softened

from .tools import *
from .tools import shapes as forms
