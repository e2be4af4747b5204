#!/bin/sh
# Makes the portal's role and database in a new cluster. The role is no superuser: it owns its database only, and may
# copy the server for `main.js backup`.
set -eu
psql --set=ON_ERROR_STOP=1 --set=password="$PORTAL_PASSWORD" --username="$POSTGRES_USER" --dbname=postgres <<'SQL'
create role portal login replication password :'password';
create database portal owner portal;
SQL
echo 'host replication portal all scram-sha-256' >> "$PGDATA/pg_hba.conf"
