"""Operations of hdfs-native, a client in Rust, whose bytes are known: what is read is compared.

Usage: operations.py NAMENODE COUNT [COMMAND AT]...    COMMAND is run before operation AT
Ends with 1 when a byte is wrong or a file is lost. An operation that fails is counted, and its
file is not looked at again: whether it was done is not known.
"""
import random
import subprocess
import sys

import hdfs_native

client = hdfs_native.Client(sys.argv[1])
count = int(sys.argv[2])
commands = {int(at): command for command, at in zip(sys.argv[3::2], sys.argv[4::2])}
chance = random.Random(9608)
files = {}
done = failed = wrong = 0
number = 0


def content(size):
    return chance.randbytes(size)


def read(path):
    with client.read(path) as file:
        return file.read()


def operation():
    global number, wrong
    kind = chance.choice(["create", "create", "append", "read", "read", "rename", "delete", "list"])
    path = chance.choice(sorted(files)) if files else None
    try:
        if kind == "create" or path is None:
            number += 1
            path = "/native/d%d/f%d" % (number % 7, number)
            data = content(chance.choice([0, 1, 1000, 70_000, 300_000]))
            with client.create(path) as file:
                file.write(data)
            files[path] = data
        elif kind == "append":
            data = content(chance.choice([1, 5000]))
            with client.append(path) as file:
                file.write(data)
            files[path] += data
        elif kind == "read":
            if read(path) != files[path]:
                wrong += 1
                print("wrong bytes:", path)
        elif kind == "rename":
            number += 1
            to = "/native/d%d/r%d" % (number % 7, number)
            data = files.pop(path)
            client.rename(path, to)
            files[to] = data
        elif kind == "delete":
            data = files.pop(path)
            client.delete(path, False)
        else:
            folder = path.rsplit("/", 1)[0]
            listed = {status.path for status in client.list_status(folder)}
            expected = {each for each in files if each.startswith(folder + "/")}
            if not expected <= listed:
                wrong += 1
                print("not listed:", sorted(expected - listed)[:3])
    except Exception as problem:
        files.pop(path, None)
        return str(problem).splitlines()[0][:150]
    return None


for folder in range(7):
    client.mkdirs("/native/d%d" % folder, 0o755, True)
for i in range(count):
    if i in commands:
        subprocess.run(commands[i], shell=True, check=True, stdout=sys.stderr)
    problem = operation()
    done += 1
    if problem:
        failed += 1
        print("failed:", problem, file=sys.stderr)
lost = 0
for path, data in files.items():
    try:
        if read(path) != data:
            wrong += 1
            print("wrong bytes in the end:", path)
    except Exception as problem:
        lost += 1
        print("lost:", path, str(problem).splitlines()[0][:150])
print("%d operations, %d failed; %d files, %d wrong, %d lost" % (done, failed, len(files), wrong, lost))
sys.exit(1 if wrong or lost else 0)
