from .driver import Simulation, run
