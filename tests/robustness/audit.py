"""Put first on PYTHONPATH as sitecustomize.py: writes down what the process does that a linter must not do."""

import os
import sys

_PROJECT = os.environ["AUDITED_PROJECT"] + os.sep
_LOG = os.open(os.environ["AUDIT_LOG"], os.O_WRONLY | os.O_APPEND | os.O_CREAT)
_FORBIDDEN = ("socket.connect", "socket.getaddrinfo", "socket.gethostbyname", "socket.bind", "os.system", "os.exec")


def _watch(event, arguments):
    if event.startswith(_FORBIDDEN) or (event == "socket.__new__" and arguments[1] != 1):
        os.write(_LOG, f"{event} {arguments!r}\n".encode())
        raise PermissionError(f"{event}: the network is down")
    if event == "subprocess.Popen":
        os.write(_LOG, f"{event} {arguments[0]!r} {arguments[1]!r}\n".encode())
    if event == "exec" and str(arguments[0].co_filename).startswith(_PROJECT):
        os.write(_LOG, f"executed {arguments[0].co_filename}\n".encode())
    if event == "import" and arguments[1] and str(arguments[1]).startswith(_PROJECT):
        os.write(_LOG, f"imported {arguments[1]}\n".encode())


sys.addaudithook(_watch)
