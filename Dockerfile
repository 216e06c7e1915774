# The dashboard:  docker build -t attention . && docker run --rm -p 8501:8501 attention
# The tests:      docker run --rm attention make test

# What `make test` needs besides Python; the development container builds on this stage.
FROM python:3.11-slim AS tools
RUN apt-get update \
 && apt-get install -y --no-install-recommends chromium git make nodejs npm \
 && rm -rf /var/lib/apt/lists/*

FROM tools
WORKDIR /attention
COPY . .
RUN make setup
EXPOSE 8501
# Inside the container, 127.0.0.1 cannot be reached from outside it.
CMD ["make", "app", "PORT=8501", "ARGS=--server.address 0.0.0.0"]
