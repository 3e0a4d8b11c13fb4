// The words in which people ask for secrets, in some twenty-five languages. Each list is a concept that grammar.ts
// combines: a new language is a few words here and no new rule. Hyphens join the words of a phrase.

export const concepts = {
  // Words that name a secret by themselves.
  password: `password passwd psswd passwrd passwort pwd pword passphrase passcode kennwort zugangswort losungswort
    mot-de-passe mdp phrase-de-passe contraseña contrasenya senha palavra-passe parola-d-ordine parolă wachtwoord hasło
    hasła lösenord adgangsord kodeord passord salasana tunnussana şifre şifresi şifreniz şifrenizi parolanız parolanızı
    пароль пароля паролем паролю паролі heslo hesla jelszó lozinka geslo parool slaptažodis パスワード パスフレーズ 密码 密碼 口令 패스워드
    암호 كلمة-المرور كلمة-مرور كلمة-السر كلمة-سر पासवर्ड kata-sandi sandi mật-khẩu κωδικός-πρόσβασης κωδικό-πρόσβασης
    συνθηματικό סיסמה סיסמא รหัสผ่าน adgangskode 비밀번호`,
  pass: "pass pw psw pswd clave passkey",
  pin: "pin geheimzahl geheimnummer puk пин 暗証番号 ピン 핀번호 пін tan",
  otp: `otp totp hotp mfa 2fa two-factor mtan smstan itan pushtan phototan chiptan einmalpasswort einmalkennwort 验证码
    驗證碼 校验码 动态码 認証コード 確認コード 認証番号 인증번호 인증코드 engångskod engangskode zwei-faktor`,
  cvv: "card-verification cvv cvc ccv csc cvn cav prüfnummer prüfziffer cryptogramme",
  token: "token jeton jetons токен токена トークン 令牌 权杖 權杖 토큰 رمز-مميز टोकन żeton id-token",
  secret: `secret geheimnis geheim geheime geheimer geheimen secreto secreta secrète segredo segreto segreta sekret
    tajny hemlighet hemlig hemmelig hemmelighet секрет секретный секретная секретное gizli tajné salaisuus salainen
    rahasia シークレット 秘密 機密 机密 密文 비밀 시크릿 سر गुप्त μυστικό jwt bearer phpsessid jsessionid sessid connect-sid htpasswd
    kubeconfig dotenv env-file psk wpa database-url database-uri mongodb-uri mongo-uri redis-url postgres-url
    postgresql-url mysql-url jdbc-url amqp-url 私钥 私鑰 密钥 密鑰 金鑰 privkey mnemonic auth-header authorization-header
    cookie-header header-auth basic-auth github-pat gitlab-pat azure-pat stripe-sk seed-phrase seed-words wallet-seed
    recovery-seed secret-seed bitcoin-seed connection-string conn-str connection-uri conn-uri connection-str
    verbindungszeichenfolge chaîne-de-connexion cadena-de-conexión string-de-conexão stringa-di-connessione
    строка-подключения 接続文字列 连接字符串 연결문자열 dsn`,
  credential: `credential creds zugangsdaten anmeldedaten logindaten login-details login-data sign-in-details
    login-info credenciales credenciais credenziali inloggegevens identifiants-de-connexion учетные-данные
    облікові-дані 認証情報 凭据 凭证 憑證 자격증명 kredensial přihlašovací-údaje dane-logowania`,

  // Head words that name a secret together with another word.
  key: `key clé clef clave chave chiave schlüssel schluessel sleutel klucz nyckel nøgle nøkkel anahtar anahtarı ключ キー
    鍵 키 钥匙 kunci khóa klíč avain κλειδί مفتاح कुंजी kulcs`,
  code: "code kode kodu codice código код コード 代码 代碼 码 碼 코드 번호 kód koodi κωδικός κωδικό mã رمز कोड",
  card: `card kart karte karten kreditkarte kreditkarten bankkarte bankkarten carte tarjeta cartão carta kaart karty
    karta kort kortin kortti kartı карта карты карти картка картки カード 卡 卡号 卡號 카드 kartu thẻ kortet κάρτα κάρτας بطاقة
    कार्ड cc`,
  phrase: "phrase words frase frasi wörter mots palabras fraza фраза フレーズ 助记词 助記詞 구문 woorden zin",
  answer:
    "answer antwort antworten réponse respuesta resposta risposta antwoord odpowiedź svar ответ 答え 答案 답변 cevap",
  cookie: "cookie куки クッキー",
  maiden: `maiden maiden-name geburtsname mädchenname nom-de-jeune-fille apellido-de-soltera cognome-da-nubile
    jeune-fille soltera solteira nubile`,

  // Words that make a head word a secret: `guarding` most head words, `forKeys` a key, `forCodes` a code, and so on.
  guarding: `access acceso acesso accesso accès zugang zugriff toegang dostęp dostępu åtkomst adgang tilgang erişim
    доступа доступу доступ アクセス 访问 存取 액세스 접근 akses truy-cập přístup přístupový pääsy πρόσβασης الوصول einlass auth
    oauth authentication authorization authorisation authentifizierung autorisierungs authentification autenticación
    autenticação autenticazione authenticatie autentisering авторизации аутентификации login sign-in logon anmelde
    anmeldung einloggen connexion inicio-de-sesión entrada accedi inlog logowania inloggnings oturum giriş входа входу
    ログイン 登录 登入 로그인 security sicherheit sécurité seguridad segurança sicurezza beveiligings veiligheids bezpieczeństwa
    säkerhets sikkerheds sikkerhets güvenlik безопасности безпеки セキュリティ 安全 보안 keamanan bảo-mật turva ασφαλείας
    bezpečnostní private privée privat privater privaten privada privado privata prywatny privatni приватный приватний
    закрытый プライベート 개인 pribadi yksityinen özel prive rsa pem ed25519 recovery backup wiederherstellung récupération
    recuperación recuperação recupero herstel восстановления 恢复 復旧 복구 license licence lizenz licencia licença licenza
    licentie licencji лицензии ライセンス activation aktivierungs الدخول`,
  forKeys: `api rest signing signature hmac signatur firma signature-key webhook encryption decryption encrypt decrypt
    cipher aes verschlüsselung chiffrement cifrado cifrage criptografia şifreleme шифрования 加密 暗号化 암호화 unseal master
    hauptschlüssel hauptkey ssh gpg pgp ssl tls deploy network netzwerk netz shared pre-shared gemeinsamer storage
    wallet bitcoin ethereum metamask ledger cifratura szyfrowania krypterings`,
  forCodes: `one-time verification single-use einmal einmalig usage-unique unico-uso jednorazowe jednorazowy
    одноразовый ワンタイム 一次性 일회용 dynamic verify verifizierung verifikation verificación verificação verifica verificatie
    bestätigung bestätigungs confirmation confirm confirmación confirmação conferma bevestigings weryfikacyjny
    verifiering verifisering bekræftelses bekreftelses doğrulama onay подтверждения підтвердження проверочный
    verifikasi xác-minh xác-thực ověřovací vahvistus επαλήθευσης التحقق 確認 認証 验证 驗證 인증 सत्यापन freischalt sms смс
    texted text-message whatsapp authenticator authenticatorapp digit stellig stelligen stellige chiffres dígitos cifre
    unlock entsperr déverrouillage desbloqueo desbloqueio sblocco door gate alarm entry safe tür lock vault locker
    reset prüf combination freigabe keypad un-solo-uso confidentiel guard`,
  session: "session sitzung sesión sessão sessione sessie sesji browser セッション 会话 세션 sid",
  credit: `credit debit payment bank kredit kreditkarte kreditkarten bankkarte bankkarten ec credito debito bancaire
    bleue bancaria bancário kredi kredytowa kredytowej betalkort kreditkort kredittkort luottokortti luottokortin
    кредитной кредитная банковской банковская クレジット 信用 银行 銀行 신용 kredytu kreditní mastercard amex maestro visa tín-dụng
    πιστωτικής ائتمان क्रेडिट`,
  number: `number num no nr nummer número numer numeru номер номера 番号 号码 號碼 卡号 卡號 번호 nomor số číslo numerot nro
    αριθμός رقم नंबर numara numarası pan`,
  expiry: `expiry expiration exp expires ablaufdatum ablauf gültigkeit scadenza caducidad vencimiento validade
    vervaldatum valid-until valid-thru expiration-date expiry-date fecha-de-caducidad fecha-de-vencimiento
    date-d-expiration data-di-scadenza data-de-validade 有效期 有効期限 만료일 utløpsdato udløbsdato exp-date`,
  mother: "mother mutter mère madre mãe moeder матери 母亲",
  service: `github gitlab bitbucket aws amazon azure gcp google openai anthropic claude gemini mistral huggingface
    stripe paypal twilio sendgrid mailgun slack discord telegram facebook instagram twitter linkedin notion atlassian
    airtable zapier dropbox nextcloud owncloud cloudflare vercel netlify heroku digitalocean hetzner dockerhub npm pypi
    sentry datadog grafana newrelic shopify salesforce hubspot zendesk mailchimp supabase binance coinbase kraken
    snowflake databricks cohere groq replicate pinecone algolia postmark resend braintree adyen square plaid okta auth0
    iam wifi wlan wep bot firebase`,

  // Words that decide whether a name means the secret itself.
  realm: `user admin administrator root db database mysql postgres postgresql mongo redis kafka smtp imap ftp sftp
    router vpn ldap account konto app master server host mail email phone device atm sim jira docker system client
    personal refresh keystore truststore benutzer nutzer usuario utilisateur utente gebruiker kullanıcı пользователя 用户
    ユーザー 사용자 cloud proxy domain windows linux mac bank portal site service team project workspace customer member web
    main owner guest network netzwerk wireless remote org organization company voicemail cardholder banking online
    rabbitmq parental control`,
  attribute: `expiration-date expiry-date fecha-de-caducidad fecha-de-vencimiento date-d-expiration data-di-scadenza
    data-de-validade policy policies length strength count name id ids type types kind format expiry expired expiration
    age day hours minutes seconds ttl lifetime validity rotation reset resets required requirement enabled disabled
    changed change updated update created creation last date time timestamp url link page endpoint path file location
    hint manager generator vault store label description title rule complexity min max minimum maximum limit budget
    usage cost price symbol owner scope status state provider issuer method channel delivery version prefix suffix
    algorithm size bits fingerprint thumbprint alias less based free protected protection authentication support
    attempts retries tries history score level color colour design holder brand four reader template category reference
    ref comment note reason purpose permission audience region recipient reminder notification sender audit review
    request requested check checker validation visible visibility exists set sharing variable column placeholder
    setting option preference mode strategy tool quota interval frequency sent verified valid position index bucket
    ring standard team address ticket incident breach leak problem issue guide guidelines training screen layout rate
    santa email contact plan language länge richtlinie stärke hinweis ablauf abgelaufen geändert änderung verwaltung
    regeln regel typ art anzahl datum longueur nom politique durée expiré indice gestionnaire longitud largo nombre
    política caducada caducado caducidad vencimiento pista tipo comprimento nome lunghezza criteri scadenza scaduta
    beleid lengte naam verlopen długość nazwa polityka typu längd namn princip længde navn lengde uzunluğu adı
    politikası длина имя название политика срок действия panjang nama kebijakan tên délka název zásady pituus nimi 長さ
    ポリシー 期限 名前 ヒント 種類 变更 长度 長度 策略 强度 強度 过期 時間 时间 提示 名称 名稱 类型 重置 次数 数量 更新 修改 길이 정책 이름 만료 변경 힌트 유형 supply ablaufdatum
    有効期限`,
  attributeFirst: `longueur nom nombre política politique longitud comprimento nome lunghezza durée długość nazwa длина
    имя название срок panjang nama délka název fecha gestor gestionnaire number-of amount-of`,
  neutral: `details value text field input raw plain content data json base64 b64 hex hash hashed encrypted again
    repeat repeated retype reenter re confirm confirmed confirmation new old current existing previous temporary temp
    initial live test prod production staging dev sandbox local here below please bitte twice numeric secure full
    complete whole what exact correct wiederholen bestätigen bestätigung neue alte aktuelles nouveau nouvelle ancien
    actuel confirmer nueva nuevo actual antigua repetir confirmar nova novo atual nuova nuovo nieuw nieuwe huidige nowe
    nowy stare nytt ny nya yeni eski новый новая старый текущий 新しい 新 旧 现在 当前 確認用 再入力 확인 새 baru mới nové uusi powtórz
    povtórz повторите in-te-voeren s m f value-of question frage`,
  own: `my your the a an our his her their its mine you we me us this that these one d l t n le la les el los las il lo
    gli un une una uno o os as um uma der die das den dem ein eine einen mein meine dein deine deinen ihr ihre ihren
    unser euer sie mon ma mes ton ta tes votre vos notre mi tu su sus meu minha seu sua tuo tua suo het een mijn je
    jouw uw twój twoje din ditt dit min mitt mit bu ваш ваше ваша свой твой мой の を は が も に 的 你的 您的 我的 あなたの 의 를 을 는 은 이
    가 your-own`,
  your: `your your-own dein deine deinen ihr ihre ihren votre ton tes vos tu tus su sus sua seu teu tuo tua suo uw je
    jouw twój twoje swoje ditt din dit ваш ваше свой твой 你的 您的 あなたの kamu anda своє`,
  of: "of из de di du des del della dello dei da do dos von vom van af av z",
  about: `for with without by via about in on until after before from per behind für mit ohne nach bei zu zur zum pour
    avec sans para con sin com sem met zonder voor med til dla için для с без upon into onto regarding against during
    at`,
  stop: `that which who whom whose where when while if unless because so wenn dass welche falls weil qui que quand si
    onde quando donde cuando se als dat waar который когда если to must muss debe doit then`,
  and: "and or und oder et ou y e ed och og i lub ve veya и или 和 或 と または 및 또는",
  lead: `enable disable has have had is are was were use using allow require requires needs need show hide display
    forgot forget forgotten lost save remember send resend delete remove revoke rotate regenerate generate issue max
    min num total how when where who why which should do does did can may will would expired invalid missing include
    keep skip maximum minimum aktiviere aktivieren verwende vergessen oublié olvidé olvidada esqueci dimenticata could
    expires works ist sind war est es`,
  not: `not never no dont without cannot nicht kein keine keinen niemals nie ne pas jamais ni nunca não non mai niet
    nooit geen inte aldrig ikke aldri не никогда ніколи しないで ないで 不要 请勿 請勿 切勿 마세요 말고 değil لا नहीं jangan đừng không μην
    avoid instead`,

  // Words that make a head word harmless, and whole harmless names.
  plain: `public publishable öffentlich öffentlicher publique pública pubblica publiczny публичный открытый 公開 公钥 公鑰 공개
    primary foreign passport keyword palabra-clave palavra-chave parola-chiave mot-clé schlüsselwort trefwoord postal
    postleitzahl zip zipcode area booking reservation order flight hotel shipment tracking`,
  otherThing: `page-token next-token sync-token continuation-token cancel-token cancellation-token design-token
    nft-token crypto-token csrf-token reward-token game-token utility-token governance-token stop-token special-token
    push-token device-token subway-token arcade-token bus-token parking-token casino-token fan-token lexer-token
    pagination-token cursor-token next-page-token trade-secret open-secret top-secret dirty-secret family-secret
    beauty-secret business-card visiting-card loyalty-card library-card membership-card id-card identity-card
    insurance-card report-card score-card index-card greeting-card punch-card post-card memory-card sim-card sd-card
    graphics-card video-card sound-card flyer-card student-card health-card donor-card time-card fuel-card bus-card
    trading-card playing-card rewards-card transit-card gpio-pin lapel-pin map-pin safety-pin hair-pin bowling-pin
    shipping-pin boarding-pass ski-pass season-pass rail-pass mountain-pass backstage-pass hall-pass press-pass
    delivery-pin bus-pass gate-pass access-pass key-signature best-kept-secret`,

  // Verbs that ask for something. `ask`: for what follows the verb. `askYour`: the same, but only if a word for “your”
  // follows too. `askLast`: for what stands before the verb.
  ask: `enter type paste provide supply input fill insert reenter type-in what-is whats geben gib gebe tragen saisir
    saisissez saisis entrez entrer indiquez renseignez collez introduce introduzca ingresa ingrese escribe escriba
    proporciona proporcione pega pegue digite insira informe introduza cole forneça inserisci inserire digita incolla
    fornisci voer vul typ plak podaj wpisz wprowadź wklej ange skriv fyll klistra indtast angiv angi indsæt tast oppgi
    введите введи укажите вставьте введіть вкажіть 请输入 請輸入 输入 輸入 填写 填寫 أدخل ادخل masukkan ketik nhập zadejte zadej
    vložte syötä anna kirjoita εισάγετε πληκτρολογήστε add-meg`,
  askYour: `give send share tell submit copy put write need needs want require verify nenne teile dime dinos dammi
    donnez`,
  askLast:
    "eingeben angeben einfügen eintippen invoeren girin giriniz yazın 入力 入力して 入力してください 貼り付け 입력 입력하세요 दर्ज डालें",
  delivered: `texted sent emailed messaged received sms authenticator geschickt gesendet zugeschickt envoyé enviado
    enviamos inviato gestuurd wysłany skickade отправили отправлен`,
} as const
