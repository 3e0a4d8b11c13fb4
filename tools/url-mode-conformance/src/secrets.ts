// Finds secrets that a form must not ask for, by the words of its fields and its message: passwords, codes, keys, payment
// data. Texts that only mention a secret are ignored, because a failed check must not be a false alarm.

import { dig } from "./json.ts"

/** Hyphens join the words of a phrase; a star stands for the rest of a compound word: userpassword, Benutzerpasswort. */
const secretWords = `
  *password pass-word *passwort *passwd *passphrase *passcode *kennwort *wachtwoord pwd pw mdp db-pass user-pass mot-de-passe
  contraseña senha hasło heslo lösenord passord adgangskode salasana şifre şifrenizi пароль пароля kata-sandi mật-khẩu
  *パスワード *パスワードを入力してください *密码 *密碼 *비밀번호 *비밀번호를 كلمة-المرور पासवर्ड κωδικός-πρόσβασης
  *pin pin-code pincode geheimzahl пин-код *暗証番号
  otp totp 2fa 2fa-code mfa-code one-time-code verification-code security-code sms-code login-code auth-code
  authenticator-code recovery-code backup-code backup-codes unlock-code door-code activation-code digit-code
  the-code-we-sent the-code-we-texted the-code-that-was-sent *einmalcode *sicherheitscode *bestätigungscode
  *wiederherstellungscode *toegangscode *beveiligingscode *engångskod *säkerhetskod tan code-de-vérification code-de-sécurité
  code-secret código-de-verificación código-de-seguridad código-de-segurança código-de-acceso codice-di-verifica
  codice-di-sicurezza kod-weryfikacyjny doğrulama-kodu код-подтверждения код-из-смс mã-xác-minh رمز-التحقق
  *验证码 *驗證碼 *認証コード *セキュリティコード *인증번호 보안-코드
  card-number card-num card-no cardnum cardnumber cc-number ccnum cc-exp card-expiry card-expiration credit-card-number credit-card debit-card-number debit-card
  creditcardnumber cvv cvc ccv card-verification-value *kartennummer *kartenprüfnummer *kortnummer *creditcardnummer
  numéro-de-carte número-de-tarjeta número-do-cartão numero-di-carta numero-della-carta numer-karty kredi-kartı-numarası
  номер-карты номер-кредитной-карты nomor-kartu-kredit číslo-karty *カード番号 *卡号 *卡号码 *卡號 *카드번호
  *token id-token bearer jwt github-pat jeton-d-accès jeton-d-api token-de-acceso токен-доступа
  *アクセストークン *访问令牌 액세스-토큰 authorization-header auth-header basic-auth session-cookie cookie-header
  api-key *apikey private-key privatekey secret-key ssh-key signing-key encryption-key master-key access-key deploy-key
  license-key recovery-key stripe-key storage-key unseal-key api-schlüssel privater-schlüssel netzwerkschlüssel
  verschlüsselungsschlüssel clé-api clé-privée clave-api clave-secreta clave-de-acceso chave-de-api chiave-privata klucz-api
  klucz-prywatny ключ-api секретный-ключ erişim-anahtarı geheime-sleutel *秘密鍵 *密钥 *apiキー api-키
  *secret seed-phrase recovery-phrase wallet-seed mnemonic phrase-de-récupération frase-de-recuperação
  credentials zugangsdaten connection-string database-url security-answer security-question-answer secret-answer
  mother-s-maiden-name mothers-maiden-name`

/** A text with one of these words only mentions a secret: its length, its name, the wish to change it. */
const mentionWords = `
  policy policies length strength complexity name names id count number limit max min minimum maximum budget price symbol
  hint manager required enable enabled expires expired ~-expiry changed change last rotation rotating path file public
  email method channel level status title label owner reason link santa trade ingredient csrf design page next top who which
  how why when where should reset days per color map postal delivery loyalty library gift older stored delete revoke share
  purpose protection ~-type never not don nicht caducada richtlinie länge änderung longueur nom nombre política beleid 길이 used rotate`

const requestVerbs = `
  enter type paste provide give tell send-me send-us send-your need fill what gib geben eingeben saisissez veuillez entrez
  ingrese introduce inserisci digite voer ange podaj введите girin *入力* *输入* *입력하세요`

const [secret, mention, verb] = [secretWords, mentionWords, requestVerbs].map(toPattern) as [string, string, string]
const secretPattern = new RegExp(` (?:${secret}) `, "u")
const mentionPattern = new RegExp(` (?:${mention}) `, "u")
const requestPattern = new RegExp(` (?:${verb}) `, "u")
const labelPattern = new RegExp(
  `^ (?:(?:your|the|a|an|one) )?(?:\\S+ ){0,2}?(?:${secret}) (?:$|(?:for|from|with|of|and|must|we|please|twice) )`,
  "u",
)

/** The words by which a field asks for a secret; undefined when it asks for none. */
export function secretInField(name: string, field: unknown): string | undefined {
  const [type, format] = [dig(field, "type"), String(dig(field, "format"))]
  const isChoice = ["enum", "oneOf", "items"].some((keyword) => dig(field, keyword) !== undefined)
  if (isChoice || type === "boolean" || type === "array" || format === "email") return undefined
  if (format === "password") return "format: password"
  const [title, description] = ["title", "description"].map((keyword) => String(dig(field, keyword) ?? ""))
  const secretWord = inLabel(name) ?? inLabel(title ?? "") ?? secretInText(description ?? "")
  if (format.startsWith("date")) return /card|cc/.test(secretWord ?? "") ? secretWord : undefined
  const isNumber = type === "number" || type === "integer"
  return isNumber && !/pin|code|otp|card|cc|cvv|cvc|tan/.test(secretWord ?? "") ? undefined : secretWord
}

function inLabel(label: string): string | undefined {
  const words = wordsOf(label)
  const match = secretPattern.exec(words)?.[0]
  return match === undefined || mentionPattern.test(words.replace(match, " ~ ")) ? undefined : match.trim()
}

/** The words by which a message asks for a secret. A sentence asks if it has a verb of asking, or is only a label. */
export function secretInText(text: string): string | undefined {
  const sentences = text.replace(/\bhttps?:\/\/\S+/g, " ").split(/[.!?;\n。！？]+/)
  const request = sentences.find((sentence) => {
    const words = wordsOf(sentence)
    return inLabel(sentence) !== undefined && (requestPattern.test(words) || labelPattern.test(words))
  })
  return request === undefined ? undefined : inLabel(request)
}

function toPattern(list: string): string {
  const patterns = list.trim().split(/\s+/)
  return patterns.map((phrase) => phrase.replaceAll("-", " ").replaceAll("*", "\\S*")).join("|")
}

/** Lower-case words, each with spaces around it; camelCase is split, digits at the end of a word are dropped. */
function wordsOf(text: string): string {
  const separatedText = text
    .normalize("NFKC")
    .replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
    .toLowerCase()
  const words = separatedText.split(/[^\p{L}\p{M}\p{N}]+/u).map((word) => word.replace(/(?<=\p{L})\d+$/u, ""))
  return ` ${words.filter((word) => word !== "").join(" ")} `
}
