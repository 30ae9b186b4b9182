#!/bin/sh
# Installs corr for {{ plan.domain }} from the files in this folder. Run it as root, as often as you like: it leaves
# unchanged files alone, and keeps each file it replaces under a name that ends in ~1~.
#
#     sh install.sh                 all steps, in the order below
#     sh install.sh pages           one step, for example once there is a certificate
set -eu
here=$(cd "$(dirname "$0")" && pwd)
cd /
PATH=$PATH:/usr/sbin:/sbin

say() { echo "  $*"; }

fail() {
    echo "$*" >&2
    exit 1
}

put() { # put FILE PLACE MODE OWNER
    if cmp -s "$here/$1" "$2"; then
        say "$2 is up to date"
    else
        [ ! -e "$2" ] || say "$2 is replaced; the old file is kept next to it"
        install -D --backup=numbered -m "$3" -o "${4%:*}" -g "${4#*:}" "$here/$1" "$2"
        say "$2 is in place"
    fi
}

programs() { # other programs that must be installed
    missing=
    while read -r program package; do
        command -v "$program" >/dev/null || missing="$missing $package"
    done <<END
adduser adduser
postconf postfix
opendkim opendkim
opendmarc opendmarc
nginx nginx
redis-server redis-server
{% if plan.is_on_postgresql %}
createdb postgresql
{% endif %}
END
    [ -z "$missing" ] || fail "Some programs are missing. Install them, then run this again: apt install$missing"
    say "all programs are installed"
}

user() { # the user that corr runs as, and its folders
    id corr >/dev/null 2>&1 || adduser --quiet --system --group --home /var/lib/corr --no-create-home corr
    install -d -o corr -g corr -m 700 /var/lib/corr /var/backups/corr
    runuser -u corr -- {{ plan.program }} --version >/dev/null ||
        fail "The user corr can't run {{ plan.program }}. Install corr where every user can read it, then run corr quickstart again."
    say "the user corr exists, and can run corr"
}

settings() { # corr's settings; an existing /etc/corr.env is yours and stays
    if [ -e /etc/corr.env ] && ! cmp -s "$here/corr.env" /etc/corr.env; then
        say "/etc/corr.env differs from the one here, so it stays as it is"
    else
        put corr.env /etc/corr.env 640 root:corr
    fi
    put as_corr /usr/local/sbin/as_corr 755 root:root
    put corr@.service /etc/systemd/system/corr@.service 644 root:root
}

{% if plan.is_on_postgresql %}
ask() { runuser -u postgres -- psql -qAtX -v ON_ERROR_STOP=1 -d postgres; }

database() { # on PostgreSQL: corr's role, the pages' role with its password, and the database
    for role in corr corr_web; do
        [ -n "$(echo "SELECT 1 FROM pg_roles WHERE rolname = '$role'" | ask)" ] ||
            runuser -u postgres -- createuser "$role"
    done
    password=$(sed -n 's|^CORR_WEB_DATABASE_URL=postgresql://corr_web:\([[:alnum:]]*\)@.*|\1|p' /etc/corr.env)
    [ -z "$password" ] || echo "ALTER ROLE corr_web PASSWORD '$password'" | ask
    [ -n "$(echo "SELECT 1 FROM pg_database WHERE datname = 'corr'" | ask)" ] ||
        runuser -u postgres -- createdb --owner corr --encoding UTF8 --template template0 corr
    say "the database corr and its roles exist"
}

{% endif %}
email() { # Postfix, and the programs that sign and check email
    put header_checks /etc/postfix/header_checks 644 root:root
    put opendkim.conf /etc/opendkim.conf 644 root:root
    put dkim.private /etc/dkimkeys/corr.private 600 opendkim:opendkim
    put opendmarc.conf /etc/opendmarc.conf 644 root:root
    while IFS= read -r line; do
        name=${line%% =*}
        case $line in \#*) continue ;; esac
        [ "$(postconf -h "$name")" != "${line#* = }" ] || continue
        say "Postfix: $line   (it was: $(postconf -h "$name"))"
        postconf -e "$line" </dev/null
    done <"$here/main.cf"
    systemctl enable --quiet opendkim opendmarc postfix
    systemctl restart opendkim opendmarc postfix
    say "Postfix, opendkim and opendmarc are set up"
}

processes() { # the tables, then the processes
    /usr/local/sbin/as_corr db upgrade
{% if plan.is_on_postgresql %}
    /usr/local/sbin/as_corr db grant corr_web
{% endif %}
    systemctl daemon-reload
    systemctl enable --quiet {{ plan.units }}
    systemctl restart {{ plan.units }}
    say "all processes are running"
}

pages() { # the web server, once there is a certificate
    if [ ! -e {{ plan.certificate }} ]; then
        echo "There is no certificate yet at {{ plan.certificate }}. If you have your own, give it to"
        echo "corr quickstart with --certificate. Or get one, once {{ plan.domain }} is in DNS:"
        echo
        echo "    certbot certonly --webroot -w /var/www/html -d {{ plan.domain }} --deploy-hook 'systemctl reload nginx'"
        echo
        echo "Then run: sh $here/install.sh pages"
        return
    fi
    put nginx.conf /etc/nginx/sites-available/corr 644 root:root
    ln -sfn ../sites-available/corr /etc/nginx/sites-enabled/corr
    nginx -t -q
    systemctl enable --quiet nginx
    systemctl reload-or-restart nginx
    say "the pages are at https://{{ plan.domain }}"
}

[ "$(id -u)" = 0 ] || fail "Run this as root."
for step in ${*:-programs user settings {{ "database " if plan.is_on_postgresql }}email processes pages}; do
    echo "$step:"
    "$step"
done
[ $# -gt 0 ] || echo "Next: add the DNS records from $here/dns.txt, then run: as_corr doctor --dns --mail"
