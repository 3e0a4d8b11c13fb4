// What Postgres is never asked: names that would be more than a name in SQL.

import { expect, it } from "vitest"
import { openPostgres } from "../../src/stores/postgres.ts"

it.each(["a; DROP TABLE x", 'a"', "a.b", "A", "", "a--", "1a", "ä", "a".repeat(49)])(
  "takes no schema whose name is more than a name: %j",
  async (schema) => {
    // Nothing listens there: a schema that is let through fails in another way.
    const opened = openPostgres("postgres://127.0.0.1:1/holdpoint", { schema })
    await expect(opened).rejects.toMatchObject({ code: "invalid_config" })
  },
)
