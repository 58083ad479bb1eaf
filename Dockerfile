FROM node:24.21.0-bookworm-slim AS base
RUN npm install --global pnpm@10.34.8
ENV CI=1 PNPM_HOME=/pnpm
WORKDIR /app
COPY package.json pnpm-workspace.yaml pnpm-lock.yaml ./
COPY packages/contract/package.json packages/contract/
COPY packages/domain/package.json packages/domain/
COPY packages/simulators/package.json packages/simulators/
