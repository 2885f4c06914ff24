from .cartpole import CartPole
from .gridworld import GridWorld
from .train import train
