// Schema names that could inject SQL never reach Postgres.

import { expect, it } from "vitest"
import { openPostgres } from "../../src/stores/postgres.ts"

it.each(["a; DROP TABLE x", 'a"', "a.b", "A", "", "a--", "1a", "ä", "a".repeat(49)])(
  "refuses a schema whose name is not a plain identifier: %j",
  async (schema) => {
    // No server listens there: an accepted schema would fail with another error.
    const opened = openPostgres("postgres://127.0.0.1:1/holdpoint", { schema })
    await expect(opened).rejects.toMatchObject({ code: "invalid_config" })
  },
)
