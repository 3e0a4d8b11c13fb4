// Which forms ask for a secret, and which only mention one.

import { describe, expect, it } from "vitest"
import { secretInField, secretInText } from "../src/secrets.ts"

const list = (text: string): readonly string[] => text.split("|").map((item) => item.trim())

const secretLabels = list(`
  password | userPassword | password_confirmation | Benutzerpasswort | mot de passe | contraseña | 密码 | pin | Bank PIN | otp |
  2fa_code | verification_code | Einmalcode | card_number | credit_card | Debit card number | cvv2 | card_expiry | Kreditkartennummer |
  token | access_token | id_token | Your GitHub token | slackBotToken | jwt | api_key | X-Api-Key | openai_api_key | clé API |
  ssh_private_key | client_secret | seed_phrase | recovery_code | credentials | session_cookie | connection_string | database_url |
  security_answer | mother's maiden name | Password (at least 8 characters) | What is your password?
`)
const innocentLabels = list(`
  password_policy | min_password_length | password_hint | Password reset email | token_count | max_tokens | token_type | token_name |
  csrf_token | next_page_token | primary_key | public_key | ssh_public_key | keyboard | api_version | API key name | access_key_id |
  private_key_path | secret_santa | trade_secret | secretary | passport_number | boarding_pass | pin_to_top | shipping | postal pincode |
  country_code | promo_code | error_code | zip_code | library_card_number | card_type | business_card | card_last4 | otp_length |
  cookie_consent | maiden_name | username | email | Which API key should be deleted? | Do you want to change your password? |
  Who holds the API key? | 密码长度 | longueur du mot de passe | Passwortrichtlinie | tan_color
`)
const askingTexts = list(`
  Please enter your password | What's your PIN? | Paste your GitHub token to continue | I need your API key | Password? |
  Enter the code we sent you | Bitte gib dein Passwort ein | 请输入您的密码 | API key from the dashboard | Your card number and expiry date |
  Enter your password for https://cloud.example.org/login | The verification code from your authenticator app
`)
const innocentTexts = list(`
  Delete the API key ‘ci’? | Your password expires tomorrow. Remind you? | Reset password? | Send the API key to Bob? |
  Enter a name for the token | Never enter your password here | What is the API key used for? | Revoke all tokens? |
  Your card ending in 4242 will be charged. OK? | Is it OK to store the secret in the vault? | Enter the tracking code we sent you |
  See https://docs.example.org/enter-your-password for how it is done. | Pick a code name for the project
`)

const isFound = (name: string, field: Readonly<Record<string, unknown>> = {}): boolean =>
  secretInField(name, { type: "string", ...field }) !== undefined

describe("a form asks for a secret", () => {
  it.each(secretLabels)("by the name or the title %s", (label) => {
    expect(isFound(label)).toBe(true)
    expect(isFound("a", { title: label })).toBe(true)
  })
  it.each(askingTexts)("by the words %s", (text) => {
    expect(secretInText(text)).toBeDefined()
    expect(isFound("a", { description: text })).toBe(true)
  })
  it("by the format for passwords, whatever the field is called", () => {
    expect(isFound("comment", { format: "password" })).toBe(true)
  })
  it("by a date only when it is a card's expiry date", () => {
    expect(isFound("card_expiry", { format: "date" })).toBe(true)
  })
  it("by a number only where secrets are numbers", () => {
    for (const name of ["pin", "otp", "cvv", "card_number"]) expect(isFound(name, { type: "integer" })).toBe(true)
    for (const name of ["token", "secret"]) expect(isFound(name, { type: "integer" })).toBe(false)
  })
})

describe("a form asks for no secret", () => {
  it.each(innocentLabels)("by the label %s", (label) => {
    expect(isFound(label)).toBe(false)
    expect(isFound("a", { title: label, description: label })).toBe(false)
  })
  it.each(innocentTexts)("by the words %s", (text) => {
    expect(secretInText(text)).toBeUndefined()
    expect(isFound("a", { description: text })).toBe(false)
  })
  it.each([
    { type: "boolean" },
    { enum: ["a"] },
    { oneOf: [] },
    { type: "array" },
    { format: "email" },
    { format: "date" },
  ])("by a field that cannot contain one: %j", (field) => expect(isFound("password", field)).toBe(false))
})

it("terminates on 100,000 characters", () => {
  for (const part of ["a", "enter ", "password policy ", "密", "a/2fa-", "("]) {
    const text = part.repeat(100_000 / part.length)
    secretInField(text, { title: text, description: text })
  }
})
