// The words in which people ask for secrets, in some twenty-five languages, each mapped to a concept that the grammar in
// secret.ts combines. A new language is a few words here and no new rule. Hyphens join the words of a phrase.

const concepts = {
  // Things that are secret by themselves.
  password: `password passwd psswd passwrd passwort pwd pword passphrase passcode htpasswd kennwort zugangswort losungswort
    mot-de-passe mdp phrase-de-passe contraseña contrasenya senha palavra-passe parola parola-d-ordine parolă wachtwoord
    hasło hasła lösenord adgangskode adgangsord kodeord passord salasana tunnussana şifre şifresi şifreniz şifrenizi
    parolanız parolanızı пароль пароля паролем паролю паролі heslo hesla jelszó lozinka geslo parool slaptažodis パスワード パスフレーズ
    密码 密碼 口令 비밀번호 패스워드 암호 كلمة-المرور كلمة-مرور كلمة-السر كلمة-سر पासवर्ड kata-sandi sandi mật-khẩu κωδικός-πρόσβασης
    κωδικό-πρόσβασης συνθηματικό סיסמה סיסמא รหัสผ่าน`,
  pass: "pass pw psw pswd clave passkey",
  pin: `pin pincode geheimzahl geheimnummer puk pinkode pinkod пин пинкод 暗証番号 ピン 핀번호 пін`,
  otp: `otp totp hotp mfa 2fa twofactor two-factor mtan smstan itan pushtan phototan chiptan einmalpasswort einmalkennwort
    验证码 驗證碼 校验码 动态码 認証コード 確認コード 認証番号 인증번호 인증코드 engångskod engangskode`,
  tan: "tan",
  cvv: "card-verification cvv cvc ccv csc cvn cav kartenprüfnummer prüfnummer prüfziffer cryptogramme",
  token: `token tokens jeton jetons jwt bearer токен токена トークン 令牌 权杖 權杖 토큰 رمز-مميز टोकन żeton id-token`,
  bearer: "jwt bearer phpsessid jsessionid sessid connect-sid id-rsa htpasswd kubeconfig dotenv env-file psk wpa",
  secret: `secret geheimnis geheim geheime geheimer geheimes geheimen secreto secreta secrete secrète segredo secreto segreto segreta sekret tajny hemlighet hemlig
    hemmelig hemmelighet секрет секретный секретная секретное gizli tajné salaisuus salainen rahasia シークレット 秘密 機密 机密 密文 비밀 시크릿 سر
    गुप्त bí-mật μυστικό`,
  credential: `credential credentials creds zugangsdaten anmeldedaten logindaten login-details login-data sign-in-details
    login-info credenciales credenciais credenziali inloggegevens identifiants-de-connexion учетные-данные облікові-дані
    認証情報 凭据 凭证 憑證 자격증명 kredensial přihlašovací-údaje dane-logowania`,
  cookie: "cookie cookies куки クッキー",
  mnemonic: "mnemonic seedphrase",
  privateKey: "秘密鍵 私钥 私鑰 密钥 密鑰 金鑰 개인키 비밀키 privkey id-rsa",
  basic: "basic",
  seed: "seed",

  // Heads that become secret in company.
  key: `key clé clef clave chave chiave schlüssel schluessel sleutel klucz nyckel nøgle nøkkel anahtar anahtarı ключ キー 鍵 키
    密钥 密鑰 金鑰 钥匙 kunci khóa klíč avain κλειδί مفتاح कुंजी kulcs`,
  code: `code codes kode kod kodu codigo codice código códigos код コード 代码 代碼 码 碼 코드 번호 kód koodi κωδικός κωδικό mã رمز कोड`,
  card: `card kart karte karten kreditkarte kreditkarten bankkarte bankkarten carte tarjeta cartão carta kaart karty karta karte
    kort kortin kortti kartı карта карты карти картка картки カード 卡 卡号 卡號 카드 kartu thẻ kortet κάρτα κάρτας بطاقة कार्ड cc`,
  credit: `credit debit payment bank kredit kreditkarte kreditkarten bankkarte bankkarten ec crédit crédito credito credito débito debito
    bancaire bleue bancaria bancário kredi kredytowa kredytowej betalkort kreditkort kredittkort luottokortti luottokortin
    кредитной кредитная банковской банковская クレジット 信用 银行 銀行 신용 kredytu kreditní mastercard amex maestro visa
    tín-dụng πιστωτικής ائتمان क्रेडिट`,
  number: `number num no nr nummer numéro numero número numer numeru номер номера 番号 号码 號碼 卡号 卡號 번호 nomor số číslo numerot nro
    αριθμός رقم नंबर numara numarası pan`,
  expiry: `expiry expiration exp expires ablaufdatum ablauf gültigkeit scadenza caducidad vencimiento validade vervaldatum
    valid-until valid-thru expiration-date expiry-date fecha-de-caducidad fecha-de-vencimiento date-d-expiration data-di-scadenza data-de-validade
    有效期 有効期限 만료일 utløpsdato udløbsdato`,
  phrase: "phrase words frase frasi wörter mots palabras fraza фраза フレーズ 助记词 助記詞 구문 woorden zin",
  answer:
    "answer answers antwort antworten réponse respuesta resposta risposta antwoord odpowiedź svar ответ 答え 答案 답변 cevap question frage",
  string: "string str uri zeichenfolge zeichenkette chaîne cadena строка 文字列 字符串 문자열",
  header: "header kopfzeile",
  pat: "pat sk",

  // Company that makes a head secret.
  api: "api apis rest",
  access: `access acceso acesso accesso accès zugang zugangs zugriff zugriffs toegang toegangs dostęp dostępu åtkomst adgang adgangs
    tilgang erişim доступа доступу доступ アクセス 访问 存取 액세스 접근 akses truy-cập přístup přístupový pääsy πρόσβασης الوصول einlass`,
  private: `private privé privée privat privater privaten privada privado privata prywatny privat privatni приватный приватний
    закрытый プライベート 개인 pribadi yksityinen özel prive privé rsa pem ed25519`,
  signing: "signing signature hmac signatur signatur firma signature-key webhook webhooks",
  encryption: `encryption decryption encrypt decrypt cipher aes verschlüsselung verschlüsselungs chiffrement cifrado cifrage
    criptografia şifreleme шифрования 加密 暗号化 암호화 unseal master hauptschlüssel hauptkey`,
  ssh: "ssh gpg pgp ssl tls deploy",
  shared: "network netzwerk netz shared preshared pre-shared gemeinsamer storage",
  license:
    "license licence lizenz licencia licença licenza licentie licencji лицензии ライセンス activation aktivierungs",
  wallet: "wallet bitcoin ethereum metamask ledger wiederherstellungs",
  onetime:
    "one-time onetime single-use einmal einmalig usage-unique unico-uso jednorazowe jednorazowy одноразовый ワンタイム 一次性 일회용 dynamic",
  verify: `verification verify verifizierung verifizierungs verifikation vérification verificación verificação verifica verificatie
    bestätigung bestätigungs confirmation confirm confirmación confirmação conferma bevestigings weryfikacyjny verifiering
    verifierings verifisering bekræftelses bekreftelses doğrulama onay подтверждения підтвердження проверочный verifikasi xác-minh
    xác-thực ověřovací vahvistus επαλήθευσης التحقق 確認 認証 验证 驗證 인증 सत्यापन prüfcode freischalt`,
  security: `security sicherheit sicherheits sécurité seguridad segurança sicurezza beveiligings veiligheids bezpieczeństwa
    säkerhets sikkerheds sikkerhets güvenlik безопасности безпеки セキュリティ 安全 보안 keamanan bảo-mật turva ασφαλείας bezpečnostní`,
  sms: "sms смс texted text-message whatsapp authenticator authenticatorapp digit digits stellig stelligen stellige chiffres dígitos cifre",
  login: `login signin sign-in logon anmelde anmeldung einloggen connexion inicio-de-sesión entrada accedi inlog logowania inloggnings
    oturum giriş входа входу ログイン 登录 登入 로그인`,
  auth: `auth oauth authentication authorization authorisation authentifizierung authentifizierungs autorisierungs authentification
    autenticación autenticação autenticazione authenticatie autentisering авторизации аутентификации`,
  unlock:
    "unlock entsperr déverrouillage desbloqueo desbloqueio sblocco door gate alarm entry safe tür türcode lock vault locker",
  recovery:
    "recovery backup wiederherstellung wiederherstellungs récupération recuperación recuperação recupero herstel восстановления 恢复 復旧 복구",
  reset: "reset",
  session: "session sitzung sitzungs sesión sessão sessione sessie sesji browser セッション 会话 세션 sid",
  connection: "connection conn connexion verbindung verbindungs conexión conexão 接続 连接 연결 подключения",
  mother: "mother mothers mutter mère madre mãe moeder матери 母亲",
  maiden:
    "maiden maiden-name geburtsname mädchenname nom-de-jeune-fille apellido-de-soltera cognome-da-nubile jeune-fille soltera solteira nubile",
  dsn: `connstr connectionstring database-url db-url database-uri mongodb-uri mongo-uri redis-url postgres-url postgresql-url
    mysql-url jdbc-url amqp-url`,
  service: `github gitlab bitbucket aws amazon azure gcp google openai anthropic claude gemini mistral huggingface stripe paypal
    twilio sendgrid mailgun slack discord telegram facebook instagram twitter linkedin notion atlassian airtable zapier dropbox
    nextcloud owncloud cloudflare vercel netlify heroku digitalocean hetzner dockerhub npm pypi sentry datadog grafana newrelic
    shopify salesforce hubspot zendesk mailchimp supabase binance coinbase kraken snowflake databricks cohere groq replicate
    pinecone algolia postmark resend braintree adyen square plaid okta auth0 iam wifi wlan wep bot`,
  realm: `user users admin administrator root db database mysql postgres postgresql mongo mongodb redis kafka smtp imap ftp sftp
    router vpn ldap account konto accounts app master server host mail email phone device atm sim jira docker system client
    personal refresh keystore truststore benutzer nutzer usuario utilisateur utente gebruiker kullanıcı пользователя 用户 ユーザー
    사용자 cloud proxy domain windows linux mac bank portal site website service team project workspace customer member web
    main ftp owner guest network netzwerk wireless remote org organization company`,

  // Grammar.
  attribute: `expiration-date expiry-date fecha-de-caducidad fecha-de-vencimiento date-d-expiration data-di-scadenza data-de-validade
    policy policies length strength count name names id ids type types kind format expiry expires expire expired
    expiration age days day hours minutes seconds ttl lifetime validity rotation reset resets required requirement requirements
    enabled disabled changed change changes updated update created creation last date time timestamp url link page endpoint path
    file filename location hint hints manager managers generator vault store label description title rule rules complexity min
    max minimum maximum limit budget usage cost price symbol owner scope scopes status state provider issuer method channel
    delivery version prefix suffix algorithm size bits fingerprint thumbprint alias less based free protected protection
    authentication support attempts retries tries history score level color colour design holder brand four reader template
    category reference ref comment note notes reason purpose permission permissions audience region recipient recipients
    reminder notification sender audit review request requests requested check checker validation visible visibility exists set
    sharing variable column placeholder setting settings option options preference mode strategy tool per quota interval
    frequency sent verified valid position index bucket ring standard support team field-name address ticket incident breach
    leak problem issue guide guidelines training screen layout length rate limits usage santa email contact plan language
    länge richtlinie stärke hinweis ablauf abgelaufen geändert änderung verwaltung manager regeln regel typ art anzahl datum
    longueur nom politique durée expiré indice gestionnaire longitud largo nombre política caducada caducado
    caducidad vencimiento pista tipo comprimento nome lunghezza criteri scadenza scaduta beleid lengte naam verlopen długość
    nazwa polityka typu längd namn princip policy længde navn lengde uzunluğu adı politikası длина имя название политика срок
    действия panjang nama kebijakan độ-dài tên délka název zásady pituus nimi 長さ ポリシー 期限 名前 ヒント 種類 变更 长度 長度 策略 强度
    強度 过期 時間 时间 提示 名称 名稱 类型 重置 次数 数量 更新 修改 길이 정책 이름 만료 변경 힌트 유형`,
  // In languages that put the head first, these make what follows an attribute even where a name drops the preposition.
  attributeFirst: `longueur nom nombre política politique longitud comprimento nome lunghezza durée długość nazwa длина имя название
    срок panjang nama délka název fecha gestor gestionnaire number-of amount-of`,
  neutral: `details value values text field input raw plain plaintext content contents data json base64 b64 hex hash hashed encrypted again
    repeat repeated retype reenter re confirm confirmed confirmation new old current existing previous temporary temp initial
    live test prod production staging dev sandbox local here below please bitte twice numeric secure full complete whole what
    exact correct wiederholen bestätigen bestätigung neues neue alte altes aktuelles nouveau nouvelle ancien actuel confirmer
    confirmation nueva nuevo actual antigua repetir confirmar nova novo atual confirmar nuova nuovo nieuw nieuwe huidige nowe
    nowy stare nytt ny nya yeni eski новый новая старый текущий 新しい 新 旧 现在 当前 確認用 再入力 확인 새 baru mới nové uusi powtórz
    povtórz повторите ein an in-te-voeren s m f value-of`,
  own: `my your the a an our his her their its mine you i we me us this that these one d l t n le la les el los las il lo gli un
    une una uno o os as um uma der die das den dem ein eine einen mein meine dein deine deinen ihr ihre ihren unser euer sie mon
    ma mes ton ta tes votre vos notre mi tu su sus meu minha seu sua seus il tuo tua suo sua het een mijn je jouw uw twój twoje
    din ditt dit min mitt mit bu ваш ваше ваша свой твой мой の を は が も に 的 你的 您的 我的 あなたの の 의 를 을 는 은 이 가 your-own`,
  your: `your your-own dein deine deinen ihr ihre ihren votre ton tes vos tu tus su sus sua seu teu tuo tua suo uw je jouw twój
    twoje swoje ditt din dit ваш ваше свой твой 你的 您的 あなたの kamu anda своє`,
  of: "of из de di du des del della dello dei da do dos von vom van af av af z",
  about: `for with without by via about in on until after before from per behind für mit ohne nach bei zu zur zum pour avec sans para
    con sin com sem per met zonder voor med för til dla do için для с без upon into onto regarding against during at`,
  stop: `that which who whom whose where when while if unless because so wenn dass welche welches falls weil qui que quand si onde
    quando donde cuando se als dat waar который когда если to must muss debe doit then`,
  and: "and or und oder et ou y e ed och og i lub ve veya и или 和 或 と または 및 또는 and-or",
  lead: `enable enables disable has have had is are was were use uses using allow allows require requires needs need show hide
    display forgot forget forgotten lost save remember send resend delete remove revoke rotate regenerate generate issue max min
    num total how when where who why which should do does did can may will would expired invalid missing include keep skip
    maximum minimum aktiviere aktivieren verwende vergessen oublié olvidé olvidada esqueci dimenticata`,
  be: "is are was were has have had will would can could expires expired works does may ist sind war est es é è",
  // Company that makes a head harmless: any head, then one head at a time.
  plain: `public publishable öffentlich öffentlicher publique pública pubblica publiczny публичный открытый 公開 公钥 公鑰 공개 primary
    foreign passport keyword keywords palabra-clave palavra-chave parola-chiave mot-clé schlüsselwort trefwoord postal
    postleitzahl zip zipcode area booking reservation order flight hotel shipment tracking`,
  plainToken: `page next sync continuation cancel cancellation design nft crypto csrf reward game utility governance stop special
    push device subway arcade bus parking casino fan lexer pagination cursor`,
  plainSecret: "trade open top dirty family beauty",
  plainCard: `business visiting loyalty library membership id identity insurance report score index greeting punch post memory sim
    sd graphics video sound flyer student health donor time fuel bus trading playing rewards transit`,
  plainPin:
    "gpio lapel map safety hair bowling delivery shipping boarding ski season rail mountain backstage hall press",

  // Verbs that ask for what follows; `askYour` only together with a possessive; `askLast` for what stands before them.
  ask: `enter type paste provide supply input fill insert reenter key-in type-in what-is whats geben gib gebe tragen saisir saisissez saisis entrez
    entrer indiquez renseignez collez introduce introduzca introduzcas ingresa ingrese escribe escriba proporciona proporcione
    pega pegue digite insira informe introduza cole forneça inserisci inserire digita incolla fornisci voer vul typ plak podaj
    wpisz wprowadź wklej ange skriv fyll klistra indtast angiv angi indsæt tast oppgi введите введи укажите вставьте введіть вкажіть
    请输入 請輸入 输入 輸入 填写 填寫 أدخل ادخل masukkan ketik nhập zadejte zadej vložte syötä anna kirjoita εισάγετε πληκτρολογήστε
    add-meg`,
  askYour:
    "give send share tell submit copy put write need needs want require confirm what verify nenne teile dime dinos dammi donnez",
  askLast: `eingeben angeben einfügen eintippen invoeren girin giriniz yazın 入力 入力して 入力してください 貼り付け 입력 입력하세요 दर्ज डालें`,
  delivered: `texted sent emailed messaged received sms authenticator geschickt gesendet zugeschickt envoyé enviado enviamos inviato
    gestuurd wysłany skickade отправили отправлен`,
  not: `not never no dont don-t without cannot nicht kein keine keinen niemals nie ne pas jamais ni nunca não non mai niet nooit geen
    inte aldrig ikke aldri не никогда ніколи しないで ないで 不要 请勿 請勿 切勿 마세요 말고 değil لا नहीं jangan đừng không μην avoid instead`,
} as const

export type Concept = keyof typeof concepts

/** One word, or one phrase, of a text. `is` is empty for a word the vocabulary does not know. */
export interface Term {
  readonly text: string
  readonly is: ReadonlySet<Concept>
  readonly plural: boolean
}

/** The words of a text with their concepts. `glued` keeps words whole at changes of case, so that "APIkey" is one word. */
export function toTerms(text: string, options: { readonly glued?: boolean } = {}): Term[] {
  const folded = fold(options.glued ? text : splitCase(text))
  const words = folded.match(/\p{L}[\p{L}\p{M}]*|\p{N}+/gu) ?? []
  return joinPhrases(joinLetters(words)).flatMap(splitWord)
}

const combining = /[\u0300-\u036f]/g
const letters: Record<string, string> = { ß: "ss", ł: "l", ø: "o", æ: "ae", œ: "oe", ı: "i", đ: "d", ð: "d", þ: "th" }
const lookalikes: Record<string, string> = Object.fromEntries(
  [..."аaеeоoрpсcуyхxіiѕsԁdкkтtмmвbнhοoαaρpνvιiκkτtεe".matchAll(/(.)(.)/gu)].map(([, from, to]) => [from, to]),
)
const leet: Record<string, string> = { 0: "o", 1: "i", 3: "e", 4: "a", 5: "s", 7: "t", "@": "a", $: "s", "!": "i" }

/** Undoes letters written as digits and signs: "p@ssw0rd". Only inside a word that also has letters. */
export function unmaskLeet(text: string): string {
  return text.replace(/[\p{L}\p{N}@$!]+/gu, (word) =>
    /\p{L}/u.test(word) && /[0134570@$!]/.test(word) ? word.replace(/[0-9@$!]/g, (sign) => leet[sign] ?? sign) : word,
  )
}

function fold(text: string): string {
  const plain = text
    .normalize("NFKC")
    .replace(/\p{Cf}/gu, "")
    .toLowerCase()
    .normalize("NFD")
    .replace(combining, "")
    .normalize("NFC")
    .replace(/[ßłøæœıđðþ]/g, (letter) => letters[letter] ?? letter)
  return plain.replace(/\p{L}+/gu, (word) =>
    /[a-z]/.test(word) ? word.replace(/[\u0370-\u052f]/g, (letter) => lookalikes[letter] ?? letter) : word,
  )
}

function splitCase(text: string): string {
  return text.replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, "$1 $2").replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1 $2")
}

interface Lexicon {
  readonly words: ReadonlyMap<string, ReadonlySet<Concept>>
  readonly longest: number
  readonly passwords: readonly string[]
}

let made: Lexicon | undefined

/** Made with the first text that is read: it takes longer than all else of a program that asks nothing. */
const lexicon = (): Lexicon => (made ??= createLexicon())

function createLexicon(): Lexicon {
  const words = new Map<string, Set<Concept>>()
  for (const [concept, listed] of Object.entries(concepts) as [Concept, string][]) {
    for (const word of listed.split(/\s+/)) {
      const key = fold(word).replaceAll("-", "")
      const known = words.get(key) ?? new Set<Concept>()
      words.set(key, known.add(concept))
    }
  }
  const longest = Math.max(...[...words.keys()].map((word) => word.length))
  const passwords = [...words].filter(([word, is]) => is.has("password") && word.length >= 5).map(([word]) => word)
  return { words, longest, passwords }
}

const shortParts = new Set(["cc", "db", "pw", "no", "nr", "id", "my"])

const unknown = (text: string): Term => ({ text, is: new Set(), plural: false })

function lookUp(word: string): Term | undefined {
  const { words } = lexicon()
  const is = words.get(word)
  if (is) return { text: word, is, plural: /^(?:tokens|jetons|codes|cookies)$/.test(word) }
  const single = word.length > 3 && word.endsWith("s") ? words.get(word.slice(0, -1)) : undefined
  return single && { text: word, is: single, plural: true }
}

/** "p a s s w o r d" is one word. */
function joinLetters(words: readonly string[]): string[] {
  const joined: string[] = []
  let run = 0
  for (const word of words) {
    run = word.length === 1 && /[a-z]/.test(word) ? run + 1 : 0
    if (run > 1) joined[joined.length - 1] += word
    else joined.push(word)
  }
  return joined
}

/** Phrases are in the lexicon without spaces, so "mot de passe", "pass word" and "2 fa" meet their entry here. */
function joinPhrases(words: readonly string[]): string[] {
  const joined: string[] = []
  for (let at = 0; at < words.length; at++) {
    const width = [4, 3, 2].find((size) => {
      const phrase = words.slice(at, at + size).join("")
      return at + size <= words.length && (phrase.length > 5 || /\d/.test(phrase)) && lookUp(phrase) !== undefined
    })
    joined.push(words.slice(at, at + (width ?? 1)).join(""))
    at += (width ?? 1) - 1
  }
  return joined
}

function splitWord(word: string): Term[] {
  const whole = lookUp(word)
  if (whole) return [whole]
  if (/^\p{N}+$/u.test(word)) return [{ text: word, is: new Set<Concept>(["neutral"]), plural: false }]
  if (/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u.test(word))
    return splitScript(word)
  return splitCompound(word) ?? splitAroundSecret(word) ?? [unknown(word)]
}

/** Scripts without spaces: the longest known word at each place. */
function splitScript(word: string): Term[] {
  const { words, longest } = lexicon()
  const terms: Term[] = []
  let rest = ""
  for (let at = 0; at < word.length; ) {
    let size = Math.min(longest, word.length - at)
    while (size > 0 && !words.has(word.slice(at, at + size))) size--
    if (size === 0) {
      rest += word[at++]
      continue
    }
    if (rest) terms.push(unknown(rest))
    rest = ""
    terms.push(lookUp(word.slice(at, at + size)) ?? unknown(word.slice(at, at + size)))
    at += size
  }
  return rest ? [...terms, unknown(rest)] : terms
}

/** "kreditkartennummer", "useraccesstoken": the fewest known words that cover it, German linking letters allowed. */
function splitCompound(word: string): Term[] | undefined {
  if (word.length > 60) return undefined
  const { longest } = lexicon()
  const best: (Term[] | undefined)[] = [[]]
  for (let end = 1; end <= word.length; end++) {
    for (let start = Math.max(0, end - longest); start < end; start++) {
      const before = best[start]
      const part = word.slice(start, end)
      if (!before || (part.length < 3 && !shortParts.has(part))) continue
      const unlinked = start > 0 ? part.replace(/^(?:en|es|s|n)/, "") : part
      const term = lookUp(part) ?? (unlinked.length > 2 ? lookUp(unlinked) : undefined)
      if (term && canBePart(term) && before.length + 1 < (best[end]?.length ?? 99)) best[end] = [...before, term]
    }
  }
  return best[word.length]
}

const joints: ReadonlySet<Concept> = new Set([
  "own",
  "your",
  "of",
  "about",
  "stop",
  "and",
  "be",
  "not",
  "askYour",
  "lead",
])

function canBePart(term: Term): boolean {
  return term.text === "my" || term.text === "your" || [...term.is].some((concept) => !joints.has(concept))
}

/** A password, or a token or secret at the end, inside an unknown word. What follows it, if long, makes it another thing. */
function splitAroundSecret(word: string): Term[] | undefined {
  const tail = /^(.{3,})(token|secret|passwd|pwd|cvv|cvc)$/.exec(word)
  if (tail) return [unknown(tail[1] ?? ""), lookUp(tail[2] ?? "") ?? unknown(word)]
  for (const root of lexicon().passwords) {
    const at = word.indexOf(root)
    if (at < 0 || (at > 0 && root.length < 6)) continue
    const before = at > 0 ? [unknown(word.slice(0, at))] : []
    const rest = word.slice(at + root.length)
    const after = splitCompound(rest) ?? [{ text: rest, is: new Set<Concept>(["attribute"]), plural: false }]
    return [...before, lookUp(root) ?? unknown(root), ...(rest.length <= 3 ? [] : after)]
  }
  return undefined
}
