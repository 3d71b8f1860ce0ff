#!/bin/sh
# Runs `pulumi up` if a key of the stack is due, for cron and CI.
# Exits with 0 if no key is due afterwards, otherwise with the code of the command that failed.
set -eu
stack=${1:?usage: rotate-when-due.sh <stack>}

code=0
npx cloudinfra rotate --check --stack "$stack" || code=$?
case $code in
  0) exit 0 ;;
  7) ;; # some are due
  *) exit "$code" ;;
esac

# Only a refresh notices that somebody has deleted a key.
pulumi up --yes --refresh --non-interactive --stack "$stack"

# A key that is still due needs a person, for example because of a fixed `expiresAt`. This script then exits with 7.
npx cloudinfra rotate --check --stack "$stack"
