# Nothing but the wheel: docker build -t evalcontract . && docker run --rm -v "$PWD:/data" evalcontract validate items.jsonl
FROM python:3.13-slim AS build
WORKDIR /source
COPY . .
RUN python -m pip wheel --quiet --no-cache-dir --constraint constraints.txt --wheel-dir /wheels .

FROM python:3.13-slim
RUN --mount=type=bind,from=build,source=/wheels,target=/wheels \
    python -m pip install --quiet --no-cache-dir --no-index --find-links /wheels evalcontract \
    && useradd --no-create-home --uid 10001 evalcontract
USER evalcontract
WORKDIR /data
ENTRYPOINT ["evalcontract"]
CMD ["--help"]
