// A silent logger for Slack's clients: tests check the thrown errors instead.

import type { Logger } from "@slack/web-api"

const ignore = (): void => {}

export const quiet: Logger = {
  debug: ignore,
  info: ignore,
  warn: ignore,
  error: ignore,
  setLevel: ignore,
  setName: ignore,
  getLevel: () => "error" as ReturnType<Logger["getLevel"]>,
}
