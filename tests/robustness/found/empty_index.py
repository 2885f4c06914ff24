import jax

x = (1, 2)[()]
y = [1, 2][()]
z = {(): 1}[()]
w = jax.numpy.ones(3)[()]
x[()] = y[()] = 1
del z[()]
