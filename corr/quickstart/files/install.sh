#!/bin/sh
# The house at {{ plan.domain }}: puts what lies in this folder in its place. Run it as root, as often as you like: what is
# the same already is left alone, what it replaces is kept beside it under a name that ends in ~1~, and it says so.
#
#     sh install.sh                 all steps, in the order in which they stand below
#     sh install.sh pages           one of them, for example once there is a certificate
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
        say "$2 is as it should be"
    else
        [ ! -e "$2" ] || say "$2 is replaced; what was there is kept beside it"
        install -D --backup=numbered -m "$3" -o "${4%:*}" -g "${4#*:}" "$here/$1" "$2"
        say "$2 is in its place"
    fi
}

programs() { # what else has to be installed
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
    say "all programs are there"
}

user() { # as whom the house runs, and where it keeps what is its own
    id corr >/dev/null 2>&1 || adduser --quiet --system --group --home /var/lib/corr --no-create-home corr
    install -d -o corr -g corr -m 700 /var/lib/corr /var/backups/corr
    runuser -u corr -- {{ plan.program }} --version >/dev/null ||
        fail "The user corr cannot run {{ plan.program }}: install corr where every user may read it, then run corr quickstart again."
    say "the user corr is there, and can run corr"
}

settings() { # the house's own; what stands in /etc/corr.env already is yours
    if [ -e /etc/corr.env ] && ! cmp -s "$here/corr.env" /etc/corr.env; then
        say "/etc/corr.env differs from the one here, and is left as it is"
    else
        put corr.env /etc/corr.env 640 root:corr
    fi
    put as_corr /usr/local/sbin/as_corr 755 root:root
    put corr@.service /etc/systemd/system/corr@.service 644 root:root
}

{% if plan.is_on_postgresql %}
ask() { runuser -u postgres -- psql -qAtX -v ON_ERROR_STOP=1 -d postgres; }

database() { # on PostgreSQL: the house's role, the pages' role with its password, and the database
    for role in corr corr_web; do
        [ -n "$(echo "SELECT 1 FROM pg_roles WHERE rolname = '$role'" | ask)" ] ||
            runuser -u postgres -- createuser "$role"
    done
    password=$(sed -n 's|^CORR_WEB_DATABASE_URL=postgresql://corr_web:\([[:alnum:]]*\)@.*|\1|p' /etc/corr.env)
    [ -z "$password" ] || echo "ALTER ROLE corr_web PASSWORD '$password'" | ask
    [ -n "$(echo "SELECT 1 FROM pg_database WHERE datname = 'corr'" | ask)" ] ||
        runuser -u postgres -- createdb --owner corr --encoding UTF8 --template template0 corr
    say "the database corr is there, and its roles"
}

{% endif %}
letters() { # Postfix, and what signs and looks at letters
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
    say "Postfix, opendkim and opendmarc have what they need"
}

house() { # the tables, and the processes
    /usr/local/sbin/as_corr db upgrade
{% if plan.is_on_postgresql %}
    /usr/local/sbin/as_corr db grant corr_web
{% endif %}
    systemctl daemon-reload
    systemctl enable --quiet {{ plan.units }}
    systemctl restart {{ plan.units }}
    say "the house is at work"
}

pages() { # the web server, once there is a certificate
    if [ ! -e {{ plan.certificate }} ]; then
        echo "There is no certificate yet at {{ plan.certificate }}. With one of your own, give its place to"
        echo "corr quickstart by --certificate. Or get one, once DNS knows {{ plan.domain }}:"
        echo
        echo "    certbot certonly --webroot -w /var/www/html -d {{ plan.domain }} --deploy-hook 'systemctl reload nginx'"
        echo
        echo "Then: sh $here/install.sh pages"
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
for step in ${*:-programs user settings {{ "database " if plan.is_on_postgresql }}letters house pages}; do
    echo "$step:"
    "$step"
done
[ $# -gt 0 ] || echo "What is left: the records of $here/dns.txt, and then: as_corr doctor --dns --mail"
