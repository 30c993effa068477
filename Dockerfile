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
COPY openapi.json openapi-admin.json openapi-console.json issuer-openapi.json ./
RUN npm ci && node scripts/build.mjs

# The dependencies of the server alone, without those of the build and of the console, which is bundled.
FROM ${NODE_IMAGE} AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY sdk/package.json sdk/
COPY cli/package.json cli/
COPY private-postgres/package.json private-postgres/
COPY docs-site/package.json docs-site/
COPY server/package.json server/
COPY console/package.json console/
COPY scripts/openapi-typescript/package.json scripts/openapi-typescript/
RUN npm ci --omit=dev --workspace=cardstock

FROM ${NODE_IMAGE}
WORKDIR /app
# Owned by root and not writable for the account that runs the server.
COPY --from=dependencies /app/node_modules node_modules
COPY --from=build /build/sdk/package.json /build/sdk/README.md sdk/
COPY --from=build /build/sdk/dist sdk/dist
COPY --from=build /build/cli/package.json /build/cli/README.md cli/
COPY --from=build /build/cli/dist cli/dist
COPY --from=build /build/private-postgres/package.json /build/private-postgres/README.md private-postgres/
COPY --from=build /build/private-postgres/dist private-postgres/dist
COPY --from=build /build/server/package.json /build/server/openapi-examples.json server/
COPY --from=build /build/server/bin server/bin
COPY --from=build /build/server/sql server/sql
COPY --from=build /build/server/docs/dist server/docs/dist
COPY --from=build /build/server/dist server/dist
COPY --from=build /build/console/dist console/dist
COPY package.json README.md ./
# The only folder that the server writes to, besides /tmp.
RUN mkdir -p /data && chown 1000:1000 /data && chmod 700 /data
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 DATA_DIR=/data
USER 1000:1000
VOLUME /data
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.PORT || 8080) + '/readyz').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "/app/server/bin/cardstock.mjs"]
CMD ["serve"]
