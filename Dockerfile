# The portal as an image: built in one stage, the last holds what runs.
# Pinned by tag. To pin the bytes as well: --build-arg NODE_IMAGE=node:24.21.0-bookworm-slim@sha256:…
ARG NODE_IMAGE=node:24.21.0-bookworm-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /portal
COPY package.json package-lock.json .npmrc ./
COPY stubs stubs
COPY contract/package.json contract/
COPY backend/package.json backend/
COPY frontend/package.json frontend/
COPY game-sdk/package.json game-sdk/
COPY e2e/package.json e2e/
RUN npm ci --loglevel=error
COPY tsconfig.base.json ./
COPY scripts scripts
COPY contract contract
COPY backend backend
COPY frontend frontend
COPY game-sdk game-sdk
COPY templates templates
# The embedded database stays out: in production the portal uses a server.
RUN npm run build -- --installed && node scripts/image.modules.mjs modules && mkdir -p .data/pictures

FROM ${NODE_IMAGE}
# With glibc's default of eight arenas for each processor, memory of decoded pictures is kept: 476 MB after 32 of them
# instead of 223 MB.
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DRAIN_SECONDS=5 MALLOC_ARENA_MAX=2
WORKDIR /portal
COPY --from=build /portal/modules node_modules
COPY backend/package.json backend/
COPY --from=build /portal/backend/dist backend/dist
COPY --from=build /portal/frontend/dist frontend/dist
# A volume mounted there takes over whose the folder is.
COPY --from=build --chown=1000:1000 /portal/.data .data
# The image's account `node`, by number, so that a cluster can see that it is not root.
USER 1000:1000
EXPOSE 3000
# Bash asks over its own TCP: starting Node for each check takes 40 times as much of the processor.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --start-interval=1s --retries=3 \
  CMD ["bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/$PORT && printf 'GET /health/ready HTTP/1.1\\r\\nHost: 127.0.0.1\\r\\nConnection: close\\r\\n\\r\\n' >&3 && read -r _ status _ <&3 && [ $status = 200 ]"]
CMD ["node", "--max-semi-space-size=64", "backend/dist/main.js"]
