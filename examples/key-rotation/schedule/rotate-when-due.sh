#!/bin/sh
# One unattended run: brings the stack up if a key is due, and does nothing if none is. For cron and CI alike.
# Ends with 0 when no key is due any more, and with what went wrong otherwise.
set -eu
stack=${1:?usage: rotate-when-due.sh <stack>}

code=0
npx cloudinfra rotate --check --stack "$stack" || code=$?
case $code in
  0) exit 0 ;;
  7) ;; # some are due
  *) exit "$code" ;;
esac

# A key that somebody has deleted is noticed by a refresh only.
pulumi up --yes --refresh --non-interactive --stack "$stack"

# Whatever is due now needs a person, such as a fixed `expiresAt`: this run then ends with 7.
npx cloudinfra rotate --check --stack "$stack"
