#!/bin/sh
# What does a container do when it starts? It reads documents where the home is still empty, then serves.
#
#   (nothing), or options (--workers 2)   serve, on 0.0.0.0:$PORT
#   any other word (ingest, ask, smoke)   that command of ankare
#
# Documents: a pack mounted at /pack, else the sample pack. ANKARE_START_PACK names another folder; "none" reads nothing.
set -eu

case "${1:-}" in
    "" | -*) ;;
    *) exec ankare "$@" ;;
esac

pack="${ANKARE_START_PACK:-}"
unset ANKARE_START_PACK
if [ -z "$pack" ]; then
    if [ -e /pack/profile.toml ] || [ -d /pack/documents ]; then
        pack=/pack
    else
        pack="$(python -c 'from ankare.sample import pack_path; print(pack_path())')"
    fi
fi

if [ "$pack" != none ] && [ ! -s "$ANKARE_HOME/CURRENT" ]; then
    if ! mkdir -p "$ANKARE_HOME"; then
        echo "ankare: the folder mounted for $ANKARE_HOME must belong to the user $(id -u): chown -R $(id -u):$(id -g) FOLDER" >&2
        exit 1
    fi
    ankare ingest --pack "$pack" &
    reader=$!
    trap 'kill -TERM "$reader" 2>/dev/null; wait "$reader"; exit 143' TERM INT
    # 1: some files could not be read; the others can be asked.
    wait "$reader" || [ $? -eq 1 ]
    trap - TERM INT
fi

exec ankare serve --port "${PORT:-7860}" "$@"
