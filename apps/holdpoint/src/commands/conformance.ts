// `holdpoint conformance`: the command of the package url-mode-conformance, which can also be installed separately.

import { HoldpointError } from "@holdpoint/hub"
import { createCommand, isCommandFailure } from "@holdpoint/url-mode-conformance/command"
import type { Command } from "../command.ts"

const { run, ...described } = createCommand("holdpoint conformance")

export const conformance: Command = {
  ...described,
  name: "conformance",
  words: { least: 0, most: 0 },
  usesDatabase: false,
  async run(call) {
    try {
      return await run(call)
    } catch (error) {
      if (!isCommandFailure(error)) throw error
      const code = error.exitCode === 2 ? "invalid_config" : "provider_unavailable"
      throw new HoldpointError(code, error.message)
    }
  },
}
