"""Spark writes and reads Parquet while a host is lost; sums are compared.

Usage: frames.py NAMENODE ROWS COMMAND
"""
import subprocess
import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as f

base, rows, command = sys.argv[1] + "/spark", int(sys.argv[2]), sys.argv[3]
spark = (
    SparkSession.builder.master("local[2]")
    .config("spark.ui.enabled", "false")
    .config("spark.hadoop.dfs.blocksize", str(1 << 20))
    .config("spark.sql.shuffle.partitions", "4")
    .getOrCreate()
)
spark.sparkContext.setLogLevel("ERROR")


def check(path, expected):
    got = spark.read.parquet(path).agg(f.count("*"), f.sum("id"), f.sum("square")).first()
    if tuple(got) != expected:
        print("wrong: %s has %s, not %s" % (path, tuple(got), expected))
        sys.exit(1)


expected = (rows, rows * (rows - 1) // 2, (rows - 1) * rows * (2 * rows - 1) // 6)
frame = spark.range(0, rows, 1, 8).withColumn("square", f.col("id") * f.col("id"))
frame.write.parquet(base + "/before")
check(base + "/before", expected)
subprocess.run(command, shell=True, check=True, stdout=sys.stderr)
frame.repartition(12).write.parquet(base + "/after")
check(base + "/before", expected)
check(base + "/after", expected)
joined = spark.read.parquet(base + "/before").join(spark.read.parquet(base + "/after"), "id")
if joined.count() != rows:
    print("wrong: a join has %d rows" % joined.count())
    sys.exit(1)
print("%d rows written twice, joined, a host lost between: no difference" % rows)
