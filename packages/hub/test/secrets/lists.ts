// Names, and texts, that ask for a secret, and ones that only talk about one. The held-out ones were written after the rule.

const list = (text: string) => text.split("|").map((item) => item.trim())

export const secretNames = list(`
  password | Password | passwd | pwd | pw | pass | pass1 | user_pass | dbPass | userpassword | user-password |
  newPassword | confirm_password | password_confirmation | passwordAgain | password2 | passw0rd | p@ssword |
  P@$$w0rd | ｐａｓｓｗｏｒｄ | pаssword | p a s s w o r d | PassWord | passphrase | passcode | pin | PIN | pin_code |
  card_pin | userPin | p1n | apikey | api_key | API-Key | APIkey | apiKey | X-Api-Key | openai_api_key | stripe_key |
  secret | client_secret | clientsecret | clientSecret | webhook_signing_secret | totp_secret |
  aws_secret_access_key | private_key | privateKey | ssh_key | signing_key | encryption_key | master_key | token |
  access_token | accesstoken | accessToken | refresh_token | bearer_token | bearer | id_token | jwt | auth_token |
  bot_token | github_pat | personal_access_token | github_token | mastodontoken | session_token |
  password_reset_token | auth_header | authorization_header | seed_phrase | recovery_phrase | recovery_code |
  backup_codes | mnemonic | wallet_seed | cc_number | ccnum | creditcardnumber | cardnum | card_number | card_no |
  credit_card | cvv | cvv2 | ccv | cvc | card_expiry | cc_exp | otp | otp_code | one_time_code | 2fa | 2fa_code |
  mfa_code | verification_code | sms_code | security_code | login_code | auth_code | tan | security_answer |
  secret_answer | mothers_maiden_name | mother's maiden name | session_cookie | connection_string | database_url |
  credentials | login_credentials | Passwort | kennwort | Benutzerpasswort | Geheimzahl | Kreditkartennummer |
  Zugangstoken | API-Schlüssel | privater Schlüssel | Sicherheitscode | Bestätigungscode | Einmalpasswort |
  mot de passe | mot_de_passe | motDePasse | clé API | jeton d'accès | code de vérification | numéro de carte |
  numéro de carte bancaire | contraseña | clave | clave_api | clave de acceso | código de verificación |
  número de tarjeta | senha | código de segurança | número do cartão | chiave privata | numero di carta |
  codice di verifica | wachtwoord | toegangscode | toegangstoken | hasło | klucz API | kod weryfikacyjny | lösenord |
  adgangskode | passord | kortnummer | şifre | doğrulama kodu | пароль | ключ API | код подтверждения | номер карты |
  パスワード | APIキー | 認証コード | クレジットカード番号 | 暗証番号 | 密码 | 密碼 | 验证码 | 信用卡号码 | API密钥 | 비밀번호 | 인증번호 | 카드번호 | API 키 |
  كلمة المرور | पासवर्ड | kata sandi | mật khẩu | heslo | salasana | κωδικός πρόσβασης | What is your password? |
  Your GitHub token | Password (at least 8 characters)
`)

export const innocentNames = list(`
  password_policy | passwordPolicy | password_reset_required | password_last_changed | min_password_length |
  token_count | max_tokens | tokenizer | token_budget | key | keyboard | keyword | keywords | primary_key |
  foreign_key | key_result | public_key | ssh_public_key | key_name | api_key_name | apiKeyName | token_name |
  token_expiry_days | secret_santa | secretary | secretariat | passenger | passport | passport_number | compass |
  bypass | pass_fail | passing_grade | pinned | pin_to_top | pinterest | spinning | shipping | zip_code |
  postal_code | country_code | discount_code | promo_code | product_code | code_review | error_code | qr_code |
  dress_code | area_code | source_code | card_title | business_card | card_color | cardinality | discard |
  gift_card_design | number_of_cards | cvs_branch | tan_color | authentication_method | authorization_url | author |
  two_factor_enabled | enable_otp | otp_channel | username | login | email | phone | first_name | birth_date |
  credit_limit | credential_type | secret_rotation_days | monkey | turkey | donkey | hockey | jockey | whiskey |
  tokens_per_minute | passwortlänge | Passwortrichtlinie | Kennzeichen | Schlüsselwort | clé primaire | mot-clé |
  jeton de présence | contraseña_caducada | longueur du mot de passe | longueur_mot_de_passe | nombre de la clave |
  política de contraseñas | access_key_id | private_key_path | iban | account_number | ssn | card_last4 |
  last_four_digits | session_id | sort_key | partition_key | next_page_token | csrf_token | design_token |
  trade_secret | answer_key | map_pin | season_pass | boarding_pass | password_manager | passwordless |
  wachtwoordbeleid | 密码长度 | パスワードの長さ | 비밀번호 길이 | 邮政编码 | 전화번호 | cookie_consent | favorite_cookie | random_seed |
  security_level | code_of_conduct | access_level | api_version | booking_confirmation_code | Name of the API key |
  Which API key should be deleted? | Do you want to change your password? | How long should the password be? |
  Reason for password change | loyalty_card_number | library_card_number | token_symbol | palabra clave |
  Postleitzahl | numéro de téléphone | código postal
`)

export const heldOutSecrets = list(`
  adminPasswd | root_pwd | keystorePassword | SMTP password | wifi_password | WLAN-Kennwort | PostgresPasswort |
  twitter_bearer | HF_TOKEN | deepseek_api_key | AZURE_STORAGE_KEY | vault_unseal_key | gpg_private_key |
  rsaPrivateKey | pgp_passphrase | slackBotToken | npm_auth_token | oauth2_refresh_token | stripe_webhook_secret |
  shared_secret | app_secret | hmac_secret | atm_pin | SIM PIN | new_pin | mfa_token | authenticator_code |
  email_verification_code | smsCode | unlock_code | door_code | cardSecurityCode | credit_card_no |
  debit-card-number | card_expiration_date | cc_cvv | bitcoin_seed_phrase | recovery_key | security_question_answer |
  login_password_confirm | s3cr3t_k3y | t0ken | mysql_connection_string | basic_auth | Wiederherstellungscode |
  Zugangsdaten | Verschlüsselungsschlüssel | Kartenprüfnummer | code secret | clé privée | mot de passe actuel |
  code de sécurité | jeton d'API | contraseña nueva | clave secreta | código de acceso |
  fecha de caducidad de la tarjeta | chave de API | nova senha | password dell'account | codice di sicurezza |
  beveiligingscode | creditcardnummer | nowe hasło | numer karty | engångskod | kredi kartı numarası | yeni şifre |
  секретный ключ | токен доступа | новый пароль | номер кредитной карты | ログインパスワード | セキュリティコード | アクセストークン | 登录密码 |
  短信验证码 | 銀行卡號 | 새 비밀번호 | 보안 코드 | رمز التحقق | nomor kartu kredit | mã xác minh | číslo karty | nykyinen salasana |
  unifi_password | jellyfinToken | perplexity_api_key | notion_secret | grafanaServiceAccountToken |
  cloudflare_api_token | SLACK_SIGNING_SECRET | cookieHeader | session cookie value | TOTP | 2FA-Code |
  google_authenticator_code | Bank PIN | PayPal password | CVC code | Card verification value |
  expiry date of your card | Credit card details | wallet private key | 12-word recovery phrase | backup code |
  license_key | activation_code | SSH private key | deploy_key | Passwort wiederholen | Netzwerkschlüssel | TAN |
  Einmalcode | mdp_admin | phrase de récupération | token de acceso | PIN de la tarjeta | frase de recuperação |
  numero della carta di credito | token d'accesso | geheime sleutel | klucz prywatny | kortets säkerhetskod |
  erişim anahtarı | пин-код | ワンタイムパスワード | 秘密鍵 | 访问令牌 | 액세스 토큰 | Enter your new password |
  Your mother's maiden name
`)

export const heldOutInnocents = list(`
  password_strength | passwordExpiryDate | days_until_password_expires | password_hint | forgot_password_email |
  token_limit | tokens_used | output_tokens | token_type | tokenized | tokenId | keyring_color | keynote_speaker |
  keychain_material | hotkey | issue_key | project_key | idempotency_key | cache_key | translation_key |
  key_contact | key_takeaways | musical_key | api_endpoint | api_base_url | access_reason | private_notes |
  private_event | secret_level | secret_ingredient | passing_score | passive_income | passage | ski_pass_type |
  pass_rate | pinch_of_salt | pineapple | opinion | pint_size | tango_class | standard | titanium | card_layout |
  card_count | cards_per_row | report_card_comments | postcard_text | cardio_minutes | credit_score | credit_hours |
  debit_account | coupon_code | color_code | airport_code | language_code | barcode | postcode | employee_code |
  exit_code | status_code | sms_opt_in | verification_status | security_clearance | authenticated_by | authority |
  author_name | session_title | session_length | recovery_time | backup_frequency | seed_round | connection_type |
  answer | question | maiden_name | cookie_flavor | license_plate | driver_license_number | tax_id | iban |
  routing_number | signature_name | encryption_algorithm | wallet_color | Kennziffer | Schlüsselübergabe |
  Passwortänderung | Kartenfarbe | code promo | code postal | nom de famille | clave de producto | código de barras |
  numero di telefono | codice fiscale | sleutelwoord | kod pocztowy | telefonnummer | ключевое слово |
  почтовый индекс | 商品コード | 郵便番号 | 关键词 | 전화번호 | password_complexity | Password reset email | token_price |
  Token name | keypad_model | key_date | key_account | license_type | license_number | seed_variety | pass_through |
  pinboard | pin_color | happiness | tanning | scan_result | plan | cardiologist | card_type | Name on card |
  cardholder_name | codec | decode | code_language | postal pincode | verification_method | security_contact |
  security deposit | access_date | accessibility_needs | secretary_name | recovery_email | backup_location |
  login_count | login_url | auth_provider | API name | api_method | session_date | private_key_password_policy |
  otp_length | mfa_enabled_since | Passwortmanager | Kartentyp | Kodierung | clé de voûte | mot de bienvenue |
  palabras | tarjeta de visita | clave_postal | kaartje | karta dań | cheie | コード名 | 卡片颜色 | 키보드 |
  Who holds the API key? | Is two-factor on? | Number of API keys | last_token_rotation
`)

export const askingDescriptions = list(`
  Enter your password | Paste your API key | Ihr Passwort eingeben | the 6-digit code we texted you | Your password |
  API key from the dashboard | A personal access token with repo scope | Password for the database |
  Enter your username and password | Enter the code that was sent to your phone | Bitte geben Sie Ihr Passwort ein |
  Veuillez saisir votre mot de passe | Inserisci la password | Şifrenizi girin | Введите пароль | パスワードを入力してください |
  请输入密码 | 비밀번호를 입력하세요 | Paste the token here | Your card number and expiry date | PIN must be 4 digits |
  Type the PIN of your bank card | Provide an OpenAI API key | The verification code from your authenticator app |
  Your current password, to confirm it is you | GitHub token with repo access | Gib hier deinen API-Schlüssel ein |
  Saisissez le code reçu par SMS | Ingrese su clave secreta | One-time code from the SMS |
  Fill in your credit card number
`)

export const innocentDescriptions = list(`
  Do not enter your password here | never share your password | Name of the API key |
  Enter the name of your API key | Don't paste your API key here | Enter the email where we send the password |
  Enter a title for the API key | Type DELETE to revoke the API key | Password policy to apply |
  The API key is stored under this name | Maximum number of tokens to spend | The discount code we sent you |
  Passwords older than this are flagged | Geben Sie Ihr Passwort nicht ein | パスワードを入力しないでください |
  Which repository should the token be able to read | Enter the tracking code we sent you |
  Reason for rotating the secret | Number of days until the password expires |
  Where the password reset link should go | Label for the new token | How many tokens may be spent |
  Do not include passwords or API keys | Country code of your phone | The person who manages API keys |
  Card to show on the dashboard | Which password manager your team uses |
  A short description of the secret's purpose | Pick a code name for the project
`)

export const askingMessages = list(`
  Please enter your password | What is your password? | What's your PIN? | Paste your GitHub token to continue |
  I need your API key | Could you give me your card number? | Enter the code we sent you |
  Bitte gib dein Passwort ein | Please type the 6-digit code | Password? | Your PIN, please | Podaj hasło |
  Introduce tu contraseña | Digite sua senha | Voer je wachtwoord in | Ange ditt lösenord | 请输入您的密码 |
  Send me your credentials | Tell us your mother's maiden name | What is the wifi password? |
  Please paste the API token for Cloudflare | Type your PIN to approve | Kindly provide your login credentials |
  Gib bitte die TAN ein | Entrez votre code de vérification | What is your credit card number? |
  We need your Nextcloud password to continue | Enter your seed phrase | Введите код из СМС |
  Please send us your private key
`)

export const innocentMessages = list(`
  Delete the API key ‘ci’? | Your password expires tomorrow. Remind you? | Rotate the token of the staging bot? |
  Reset password? | Share the password with Bob? | Send the API key to Bob? | Create a new API key? |
  Enter a name for the token | Never enter your password here | What is your password policy? |
  What is the API key used for? | The tool needs access to your calendar. Allow? | Deploy with 3 secrets changed? |
  Type the repository name to revoke its token | Should the password be at least 12 characters? |
  Two-factor is off. Turn it on? | Which key should be rotated? | Revoke all tokens? | Enter the shipping address |
  Approve the payment of 20 EUR by card? | Your card ending in 4242 will be charged. OK? |
  Allow the agent to read your passwords list? | Generate a new API key for staging? |
  The token has expired. Sign in again? | Enter the title of the note | Is it OK to store the secret in the vault? |
  Pin this message to the top? | Your verification code was accepted. Continue? | Choose a card for the payment |
  Which token budget should I use? | Remove password protection from report.pdf?
`)
