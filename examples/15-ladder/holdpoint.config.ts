// Example settings of `holdpoint serve` with e-mail and a ladder. SMTP_URL and the Slack token come from the environment.

import { defineConfig } from "holdpoint"

// #region ladder
export default defineConfig({
  email: { from: "Holdpoint <holdpoint@example.com>" },
  ladder: [
    { outlet: "slack", after: "0s" },
    { outlet: "email", after: "10m" },
    { outlet: "email", after: "0s", kinds: ["credential_required"] },
    { outlet: "email", after: "never", kinds: ["shell"] },
  ],
})
// #endregion
