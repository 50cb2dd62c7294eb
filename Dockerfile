# How does ankare become an image? The first stage builds; the second holds only what runs: no compiler, no pip, no checkout.
# Build:  docker build --build-arg REVISION="$(git rev-parse HEAD)" --tag ankare .
# Run:    docker run --publish 127.0.0.1:7860:7860 --volume ankare-data:/data ankare
FROM python:3.11-slim-bookworm AS build
ENV PIP_CONSTRAINT=/source/constraints.txt \
    PIP_DISABLE_PIP_VERSION_CHECK=1 \
    PIP_NO_CACHE_DIR=1
WORKDIR /source
COPY pyproject.toml constraints.txt README.md LICENSE NOTICE ./
COPY src ./src
COPY deploy/entrypoint.sh deploy/healthcheck.py ./deploy/
RUN python -m pip wheel --no-deps --wheel-dir /wheels . \
    && python -m venv --without-pip /opt/ankare \
    && wheel="$(echo /wheels/ankare-*.whl)" \
    && python -m pip --python /opt/ankare/bin/python install "${wheel}[serve,semantic,llm,mcp,otel,postgres]" \
    && mkdir /opt/ankare/deploy \
    && cp deploy/entrypoint.sh deploy/healthcheck.py /opt/ankare/deploy/ \
    && chmod 755 /opt/ankare/deploy/entrypoint.sh

FROM python:3.11-slim-bookworm
# PDFium draws the text of documents that carry no fonts of their own with the machine's. The base image's pip has no use here.
RUN apt-get update \
    && apt-get install --yes --no-install-recommends 'fonts-dejavu-core=2.37*' \
    && rm -rf /var/lib/apt/lists/* \
    && rm -rf /usr/local/lib/python3.*/site-packages/* /usr/local/lib/python3.*/ensurepip /usr/local/bin/pip* /usr/local/bin/wheel \
    && groupadd --gid 1000 ankare \
    && useradd --uid 1000 --gid 1000 --home-dir /data --no-create-home --shell /usr/sbin/nologin ankare \
    && mkdir /data \
    && chown 1000:1000 /data
COPY --from=build /opt/ankare /opt/ankare

# Only /data and /tmp are written to: the rest may be mounted read-only.
ENV PATH=/opt/ankare/bin:$PATH \
    HOME=/tmp \
    PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    ANKARE_HOME=/data/home \
    ANKARE_HOST=0.0.0.0 \
    ANKARE_AGENTIC_RAG_WITH_PROVIDER=true
ARG REVISION=""
ENV ANKARE_REVISION=$REVISION
LABEL org.opencontainers.image.title="ankare" \
      org.opencontainers.image.description="Answers questions from your own documents and figures, with page and sentence." \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.revision="$REVISION"
VOLUME ["/data"]
WORKDIR /data
USER 1000:1000
EXPOSE 7860
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=120s --retries=3 \
    CMD ["python", "/opt/ankare/deploy/healthcheck.py"]
ENTRYPOINT ["/opt/ankare/deploy/entrypoint.sh"]
