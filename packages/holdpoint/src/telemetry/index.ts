// The public entry `@holdpoint/sdk/telemetry`: counters, spans and log lines of one process.

export { createTelemetry } from "./telemetry.ts"
