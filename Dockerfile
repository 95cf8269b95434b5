# docker build --tag veillee .
# docker run --publish 8000:8000 --volume veillee:/data veillee

FROM python:3.13-slim AS build
# Machine code for any processor of the architecture, since it is compiled here and runs elsewhere.
ENV NUMBA_CPU_NAME=generic \
    PIP_DISABLE_PIP_VERSION_CHECK=1 \
    PIP_NO_CACHE_DIR=1 \
    VEILLEE_CACHE=/var/cache/veillee
WORKDIR /src
RUN python -m venv /opt/veillee
COPY requirements/server.txt requirements/
RUN /opt/veillee/bin/pip install --requirement requirements/server.txt
COPY pyproject.toml README.md LICENSE ./
COPY veillee veillee
RUN /opt/veillee/bin/pip install --no-deps --no-build-isolation . \
    && /opt/veillee/bin/veillee compile

FROM python:3.13-slim
RUN useradd --system --create-home --home-dir /data veillee
COPY --from=build /opt/veillee /opt/veillee
COPY --from=build --chown=veillee:veillee /var/cache/veillee /var/cache/veillee
ENV NUMBA_CPU_NAME=generic \
    PATH=/opt/veillee/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    VEILLEE_CACHE=/var/cache/veillee \
    VEILLEE_DATABASE=/data/veillee.sqlite
USER veillee
WORKDIR /data
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s CMD ["python", "-c", \
    "from urllib.request import urlopen; urlopen('http://127.0.0.1:8000/health/ready', timeout=4)"]
CMD ["veillee", "serve", "--host", "0.0.0.0", "--port", "8000"]
