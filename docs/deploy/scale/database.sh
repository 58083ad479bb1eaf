#!/bin/bash
# Entry of both databases of docker-compose.scale.yml. NAME is this one, PRIMARY the one that is written to: any other is its streaming replica,
# and copies it when it has no data yet. The arguments are those of docker-entrypoint.sh.
set -eu

if [ "$NAME" != "$PRIMARY" ]; then
  if [ ! -s "$PGDATA/PG_VERSION" ]; then
    copy="${PGDATA%/*}/copy"
    install -d -o postgres -g postgres "${PGDATA%/*}"
    rm -rf "$copy"
    until pg_isready --quiet --host="$PRIMARY"; do sleep 1; done
    PGPASSWORD="$POSTGRES_PASSWORD" setpriv --reuid=postgres --regid=postgres --init-groups \
      pg_basebackup --pgdata="$copy" --host="$PRIMARY" --username="$POSTGRES_USER" --write-recovery-conf --checkpoint=fast
    rm -rf "$PGDATA"
    mv "$copy" "$PGDATA"
  elif [ ! -e "$PGDATA/standby.signal" ]; then
    echo "$NAME has been a primary, and $PRIMARY is it now. Remove the volume of $NAME: it then copies $PRIMARY." >&2
    sleep 10
    exit 1
  fi
fi

exec docker-entrypoint.sh "$@" \
  -chba_file=/etc/heliograph/pg_hba.conf \
  -chot_standby_feedback=on \
  -cwal_keep_size=4GB
