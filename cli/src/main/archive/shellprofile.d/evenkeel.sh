#!/usr/bin/env bash
# Evenkeel for Apache Hadoop 3: put a link to this file (or a copy, and set EVENKEEL_HOME in
# hadoop-env.sh) into libexec/shellprofile.d or $HADOOP_CONF_DIR/shellprofile.d.
#
# It adds the plugin jars of lib/ to the class path of every Hadoop command and daemon, and the
# subcommand "evenkeel" to hadoop, hdfs, yarn and mapred. The launcher's own jars (cli/) are added
# for that subcommand only, so no daemon ever sees them.

# Prints the directory of the distribution: EVENKEEL_HOME, else where this file really is.
function _evenkeel_find_home
{
  local file="${BASH_SOURCE[0]}" link home

  if [[ -n "${EVENKEEL_HOME}" ]]; then
    echo "${EVENKEEL_HOME}"
    return
  fi
  while [[ -L "${file}" ]]; do
    link=$(readlink "${file}")
    if [[ "${link}" = /* ]]; then
      file="${link}"
    else
      file="$(dirname -- "${file}")/${link}"
    fi
  done
  home=$(cd -P -- "$(dirname -- "${file}")/.." >/dev/null 2>&1 && pwd -P)
  if [[ -d "${home}/lib" && -f "${home}/cli/evenkeel-cli.jar" ]]; then
    echo "${home}"
  fi
}

_EVENKEEL_HOME=$(_evenkeel_find_home)

if [[ -n "${_EVENKEEL_HOME}" && -d "${_EVENKEEL_HOME}/lib" ]]; then
  hadoop_add_profile evenkeel

  case "${HADOOP_SHELL_EXECNAME}" in
    hadoop | hdfs | yarn | mapred)
      hadoop_add_subcommand "evenkeel" client "Evenkeel: which plugins are active, and its tools"
    ;;
  esac
else
  hadoop_error "WARNING: evenkeel.sh: no Evenkeel in '${_EVENKEEL_HOME:-$EVENKEEL_HOME}'; set EVENKEEL_HOME in hadoop-env.sh. Its plugins are not on the class path."
fi

# Called by Hadoop for each command and daemon.
function _evenkeel_hadoop_classpath
{
  hadoop_add_classpath "${_EVENKEEL_HOME}/lib/*"
}

function _evenkeel_run
{
  local word

  for word in "$@"; do
    case "${word}" in
      -*) ;;
      demo | cluster | gameday | bench | simulate)
        # They start a Hadoop of their own, which must not get the class path of this one.
        export HADOOP_HOME HADOOP_CONF_DIR
        exec "${_EVENKEEL_HOME}/bin/evenkeel" "$@"
        ;;
      *) break ;;
    esac
  done
  # shellcheck disable=SC2034
  HADOOP_CLASSNAME=io.evenkeel.cli.Evenkeel
  # Exported rather than put into HADOOP_OPTS, which Hadoop splits at blanks.
  export EVENKEEL_HOME="${_EVENKEEL_HOME}"
  export HADOOP_CONF_DIR
  hadoop_add_classpath "${_EVENKEEL_HOME}/cli/evenkeel-cli.jar"
  hadoop_add_classpath "${_EVENKEEL_HOME}/cli/*"
}

function hadoop_subcommand_evenkeel
{
  _evenkeel_run "$@"
}

function hdfs_subcommand_evenkeel
{
  _evenkeel_run "$@"
}

function yarn_subcommand_evenkeel
{
  _evenkeel_run "$@"
}

function mapred_subcommand_evenkeel
{
  _evenkeel_run "$@"
}
