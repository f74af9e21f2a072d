"""terminal.py ACTION TEXT COMMAND...: runs a command in the foreground of a terminal, as a shell does.

Acts once TEXT was shown, prints what the terminal shows, and exits with the command's exit code.
"""
import fcntl
import os
import pty
import signal
import struct
import sys
import termios

KEYS = {"interrupt": b"\x03", "suspend": b"\x1a", "quit": b"\x1c"}


def run_job(command):
    """Runs the command in its own process group; resumes it when suspended. Returns its exit code."""
    signal.signal(signal.SIGTTOU, signal.SIG_IGN)
    job = os.fork()
    if job == 0:
        os.setpgid(0, 0)
        os.tcsetpgrp(0, os.getpgrp())
        signal.signal(signal.SIGTTOU, signal.SIG_DFL)
        # They are ignored if the tests themselves run in the background of a script.
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        signal.signal(signal.SIGQUIT, signal.SIG_DFL)
        signal.signal(signal.SIGHUP, signal.SIG_DFL)
        os.execvp(command[0], command)
    signal.signal(signal.SIGHUP, lambda *_: os.kill(-job, signal.SIGHUP))
    while True:
        status = os.waitpid(job, os.WUNTRACED)[1]
        if not os.WIFSTOPPED(status):
            return os.WEXITSTATUS(status) if os.WIFEXITED(status) else 128 + os.WTERMSIG(status)
        os.write(1, b"[suspended]")
        os.kill(-job, signal.SIGCONT)


def act(action, terminal):
    if action in KEYS:
        os.write(terminal, KEYS[action])
    elif action == "resize":
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 10, 20, 0, 0))
    elif action == "close":
        os.close(terminal)


def watch(action, text, terminal):
    shown = b""
    acted = False
    while True:
        try:
            data = os.read(terminal, 65536)
        except OSError:  # the command has ended, or the terminal is closed
            return
        sys.stdout.buffer.write(data)
        shown += data
        if not acted and text.encode() in shown:
            act(action, terminal)
            acted = True


shell, terminal = pty.fork()
if shell == 0:
    os._exit(run_job(sys.argv[3:]))
watch(sys.argv[1], sys.argv[2], terminal)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(shell, 0)[1]))
