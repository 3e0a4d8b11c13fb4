// The public entry `@holdpoint/hub/telemetry`: counters, spans and log lines of one process.

export { createTelemetry } from "./telemetry.ts"
