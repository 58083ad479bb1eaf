/**
 * Keep a worker under 300 MB under any load: by default Node collects so late that it grows to 500. A tenth of its time,
 * measured by `npm run bench -- bulk-scale`. docker-compose.yml says the same.
 */
export const workerFlags = ['--max-semi-space-size=24', '--max-old-space-size=256'];
