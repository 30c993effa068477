# syntax=docker/dockerfile:1
# The image of a server: docs/containers.md says how to build and run it. The base can be replaced by any image with Node.
ARG NODE_IMAGE=node:24-bookworm-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc tsconfig.base.json ./
COPY sdk sdk
COPY cli cli
COPY private-postgres private-postgres
COPY docs-site docs-site
COPY server server
COPY console console
COPY scripts scripts
# What the pages at /docs are rendered from.
COPY docs docs
COPY examples/README.md examples/
COPY openapi.json openapi-admin.json openapi-console.json issuer-openapi.json LICENSE README.md CHANGELOG.md ./
RUN npm ci && node scripts/pack.mjs /packages

# The package, as anybody installs it. Its manifest names the version of every other package.
FROM ${NODE_IMAGE} AS install
WORKDIR /app
COPY --from=build /packages packages
RUN npm install --omit=dev --ignore-scripts --no-audit --no-fund ./packages/cardstock-server-*.tgz

FROM ${NODE_IMAGE}
WORKDIR /app
# Owned by root and not writable for the account that runs the server.
COPY --from=install /app/node_modules node_modules
# The only folder that the server writes to, besides /tmp.
RUN mkdir -p /data && chown 1000:1000 /data && chmod 700 /data
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 DATA_DIR=/data
USER 1000:1000
VOLUME /data
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.PORT || 8080) + '/readyz').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "/app/node_modules/@cardstock/server/bin/cardstock.mjs"]
CMD ["serve"]
