from shop.tools.shapes import *

try:
    from shop.tools.missing import fast_sum
except ImportError:
    from shop.tools.shapes import slow_sum as fast_sum
