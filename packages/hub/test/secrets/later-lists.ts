// Names that were written when the rule was made smaller, before it was changed for them, and what it still misses.

const list = (text: string) => text.split("|").map((item) => item.trim())

export const fourthSecrets = list(`
  vpn_password | ldap_bind_password | sudo password | rootpw | Database Password | keepass_master_password | passwordRepeat |
  old_password | current-password | new-password | unlock_pin | SIM-PIN | puk | phone PIN | voicemail_pin | safe_combination_code |
  door access code | alarm_code | gate_code | login code from email | signin_code | one-time password | onetimepassword | totp_code |
  smsTan | email_otp | backup_code_1 | recovery_codes | 2FA backup codes | webauthn_recovery_code | telegram_bot_token | discordToken |
  gitlab_access_token | npmToken | PYPI_TOKEN | vercel_token | sentry_auth_token | slack_app_token | figma_token | linear_api_key |
  MISTRAL_API_KEY | google_maps_api_key | aws_access_key | aws_session_token | azure_client_secret | gcp_service_account_key |
  stripe_secret_key | paypal_client_secret | twilio_auth_token | webhook_secret | jwt_secret | cookie_secret | hmac_key | aes_key |
  tls_private_key | ssh_private_key | pgp_key | ssh_passphrase | deploy_token | ci_token | kubeconfig | docker_password |
  postgres_dsn | MONGODB_URI | redis_password | connection_string | jdbc_url | ftp_password | imap_password | smtp_pass |
  wifi_key | wpa_psk | network_key | wallet_password | wallet_mnemonic | seed_words | private_key_hex | metamask_phrase |
  keystore_password | card_cvc | card security code | cardNumber | creditCardNumber | debit_card_no | card_exp_date | cardholder_pin |
  bank_pin | online_banking_pin | banking_password | atmPin | mothersMaidenName | security_question_answer | secretAnswer |
  session_cookie | sessionid_cookie | auth_cookie | bearerToken | oauth_token | oauth_client_secret | access-code | passcode |
  software_license_key | activation_key | windows_product_license_key | shared_access_key | storage_account_key |
  Ihr Passwort | Admin-Kennwort | WLAN-Passwort | WLAN-Schlüssel | PIN-Code | Zugangscode | Türcode | Freischaltcode |
  SMS-Code | Wiederherstellungsschlüssel | Sicherheitsantwort | Kartennummer | Anmeldedaten | Zugriffstoken | geheimer Schlüssel |
  mot de passe wifi | nouveau mot de passe | clé secrète | code d'accès | code PIN | code SMS | jeton d'authentification |
  identifiants de connexion | numéro de carte de crédit | cryptogramme visuel | contraseña de la base de datos |
  clave privada | código de recuperación | código PIN | token de API | contraseña actual | número de la tarjeta de crédito |
  senha do wifi | chave secreta | código de acesso | token de acesso | número do cartão de crédito | frase secreta |
  chiave API | codice di accesso | parola d'ordine | nuova password | numero della carta | wachtwoord herhalen | geheime code |
  API-sleutel | nieuw wachtwoord | hasło do wifi | kod dostępu | kod PIN | token dostępu | API-nyckel | säkerhetskod |
  nytt lösenord | adgangskode igen | API-nøgle | sikkerhetskode | yeni parola | güvenlik kodu | API anahtarı | код доступа |
  ключ доступа | пин код | новый пароль | пароль от почты | ключ шифрования | パスワード確認 | 新しいパスワード | シークレットキー |
  管理者パスワード | 支付密码 | 登录验证码 | 访问密钥 | 数据库密码 | 비밀번호 확인 | 로그인 비밀번호 | 비밀키 | كلمة المرور الجديدة | رمز الدخول |
  kata sandi baru | kode verifikasi | mật khẩu mới | nové heslo | bezpečnostní kód | uusi salasana | νέος κωδικός πρόσβασης | סיסמה חדשה
`)

export const fourthInnocents = list(`
  password_expiry | password_age_days | passwords_enabled | require_password | password_reset_url | passwordResetEmail |
  password_rotation_interval | password_field_label | password_manager_name | has_password | show_password | pass_count |
  pass_mark | first_pass_yield | mountain_pass | pass_type | passing_yards | bypass_reason | passerby | passion | pin_layout |
  pin_count | gpio_pin | pinned_at | pinpoint | spin | pin_icon | clothing_pin | pincushion | token_address | token_contract |
  token_amount | tokens_total | prompt_tokens | completion_tokens | token_supply | page_token | cursor_token | token_class |
  key_metric | keyframe | key_person | key_dates | key_size | key_length | key_type | keys_per_user | key_id | kms_key_id |
  key_rotation_period | keyboard_layout | object_key | s3_key | redis_key_prefix | json_key | map_key | piano_key | key_signature |
  house_key_location | ssh_key_fingerprint | api_key_owner | api_key_label | api_key_expires_at | api_key_scopes | api_url |
  api_host | api_rate_limit | secret_name | secret_path | secret_engine | secret_rotation | secret_manager_region | secret_sauce |
  top_secret_clearance | secrecy | code | zip | discount | coupon | product_code | sku_code | hs_code | tax_code | swift_code |
  sort_code | branch_code | currency_code | iata_code | voucher_code | referral_code | invite_code_count | code_owner | code_block |
  code_freeze_date | codename | vscode_version | morse_code | genetic_code | building_code | room_code | course_code | event_code |
  verification_date | verification_level | confirmation_email | confirmation_number | booking_code | flight_confirmation | access |
  access_type | access_group | access_log | private | private_repo | privacy | auth | auth_type | oauth_scopes | oauth_redirect_url |
  oauth_client_id | client_id | login_name | login_method | login_attempts | session_timeout | session_count | session_name |
  cookie_policy | cookie_banner | cookie_recipe | cookie_max_age | card | card_brand | card_holder | card_last_four | card_limit |
  cards | gift_card_amount | sd_card_size | graphics_card | scorecard | flashcard | wildcard | id_card_number | health_card_number |
  credit | credit_rating | credit_note | debit_date | bank_name | bank_account | bic | account_no | customer_number | order_number |
  invoice_number | phone_number | serial_number | insurance_number | passport_no | national_id | driver_licence | license | licence_plate |
  license_expiry | seed | seed_count | sunflower_seeds | seeding_date | phrase | catch_phrase | search_phrase | mnemonic_device_name |
  answer_text | correct_answer | security_question | question_text | maiden_voyage | mother_tongue | connection_speed | connections |
  string_length | query_string | header_color | http_headers | database_name | database_version | dsn_alerts | wallet_address |
  wallet_balance | recovery_point_objective | recovery_room | backup_schedule | reset_interval | lock_screen_message | vaulted_ceiling |
  Passwortlänge | Passwort-Ablaufdatum | Kundennummer | Postleitzahl | Vorwahl | Kartenname | Schlüsselbund | Schlüsselperson |
  Rechnungsnummer | Bestellcode | Geheimtipp | Kennung | Zugangsart | Antwort | Satz | longueur minimale | numéro de commande |
  code produit | clé du problème | carte de visite | nom d'utilisateur | phrase du jour | nombre de usuario | número de pedido |
  código de producto | palabra | tarjeta de embarque | política de privacidad | código do produto | número do pedido | cartão de visita |
  nome utente | numero d'ordine | codice prodotto | carta d'imbarco | gebruikersnaam | bestelnummer | sleutelfiguur | nazwa użytkownika |
  numer zamówienia | kod produktu | användarnamn | ordernummer | brugernavn | kullanıcı adı | sipariş numarası | posta kodu |
  имя пользователя | номер заказа | код товара | длина пароля | ユーザー名 | 注文番号 | パスワードの有効期限 | 用户名 | 订单号 | 密码策略 | 产品代码 |
  사용자 이름 | 주문번호 | 우편번호 | اسم المستخدم | nama pengguna | kode pos | mã bưu điện | uživatelské jméno | käyttäjätunnus |
  Who should get the token? | Should tokens expire? | How often do you rotate keys? | Is a password required? | Number of secrets |
  Which card do you prefer? | Reason for access | What is the product code?
`)

export const fifthSecrets = list(`
  nas_admin_password | proxyPassword | zip password | pdf_password | archive passphrase | bios password | iCloud password | appPassword |
  app-specific password | imap_pass | mqtt_password | rabbitmq_pass | elastic_password | svn_password | root password of the server |
  parental control PIN | credit card PIN | pin2 | locker pin | garage door code | keypad code | building entry code | safe code |
  parcel locker access code | invite access code | two_factor_code | steam_guard_code | authenticator code | email login code |
  password reset code | account recovery code | spotify_client_secret | dropbox_refresh_token | zoom_jwt | trello_token |
  asana_personal_access_token | heroku_api_key | mapbox_access_token | firebase_server_key | apns_auth_key | recaptcha_secret_key |
  openrouter_api_key | deepl auth key | sonarqube_token | jenkins_api_token | vault_token | consul_token | pagerduty_api_key |
  webhook signing key | cookie_encryption_key | session_secret | django_secret_key | encryption passphrase | wireguard_private_key |
  luks_passphrase | bitlocker recovery key | gpg passphrase | sftp_private_key | putty private key | ledger recovery phrase |
  24 word seed phrase | solana_private_key | wallet backup phrase | visa card number | amex number and cvc | card number | cvc2 |
  valid thru date of your card | debit card PIN | favourite pet security answer | answer to your secret question | auth session cookie |
  mongodb connection string | DATABASE_URL | sqlserver_connection_string | smtp credentials | AWS credentials | wifi passphrase |
  WPA2-Schlüssel | Passwort für WLAN | Entsperrcode | Sicherheits-PIN | Zwei-Faktor-Code | Freigabe-TAN | Prüfziffer der Kreditkarte |
  code de déverrouillage | phrase secrète | clé de chiffrement | mot de passe administrateur | code confidentiel de la carte |
  contraseña del correo | clave de cifrado | PIN de desbloqueo | código de un solo uso | senha do banco | chave privada |
  PIN do cartão | codice PIN della carta | chiave di cifratura | password della posta | pincode van de bankkaart | hersteltoken |
  herhaal wachtwoord | klucz szyfrowania | hasło administratora | kod jednorazowy | engångslösenord | krypteringsnyckel |
  kortets PIN-kod | bekræftelseskode | tilgangskode | tek kullanımlık şifre | kart numarası | одноразовый пароль | секретное слово |
  ключ API сервиса | пароль администратора | 二段階認証コード | 暗号化キー | カード番号 | 银行卡密码 | 私钥 | 支付验证码 | 공인인증서 비밀번호 | 카드 비밀번호 |
  رمز التحقق المرسل | كلمة السر | API कुंजी | kode OTP | mã PIN | ověřovací kód | vahvistuskoodi | κωδικός επαλήθευσης | סיסמה
`)

export const fifthInnocents = list(`
  password_count | password_updated_at | allow_passwords | password_login_enabled | password_hash_algorithm | passwordVisibility |
  passing_time | passengers | hall pass reason | train pass zone | pass percentage | compass_direction | trespass_notice | overpass_height |
  pinning_enabled | pin_position | bowling pins | opinion_poll | pins_per_board | pin_diameter | token_usage | token_rate |
  tokens_remaining | tokenizer_name | token_ids | stop_tokens | casino tokens | bus token price | keyboard_language | key_stage |
  key_points | key_stakeholders | keycard_color | keywords_list | key_performance_indicator | key_deliverable | low_key_event |
  api_docs_url | api_key_count | api_key_created_by | api_status | primary_key_column | encryption_enabled | encryption_type |
  secrets_count | secret_type | secret_owner | secret_store_name | secret_garden | best_kept_secret | code_name | code_quality_score |
  zip code | postal code | area code | dial code | country dialing code | coupon codes | error codes | http status code | qr code size |
  bar_code | code_repository | fare_code | department_code | cost_center_code | size_code | icd_code | naics_code | vat_code |
  access_time | accessories | access_road | private_lesson | private_room | privatization | authors | authorship | authenticity_rating |
  login_time | login_page | last_login | logins_per_day | session | session_topic | session_duration | session_speaker | cookies_accepted |
  cookie_type | chocolate_cookie_count | business_card_quantity | card_design | card_message | greeting card text | card_game | credit_line |
  credits_earned | credit_hours_completed | debit_amount | bank_branch | bank_holiday | account_name | phone number | house number |
  membership number | flight number | track_number | vehicle identification number | policy_number | case_number | license_class |
  license_state | licensed_since | seed_money | seedling_height | seed_type | phrase_book | favourite phrase | answer_choice | answers_count |
  question_count | mother_name | maiden_flight | connection_count | flight_connection | string_quartet | header_image | recovery_rate |
  recovery_plan | backup_singer | reset_date | unlock_date | verification_type | confirmation_status | signature_date | signing_ceremony_date |
  encryption_at_rest | wallet_type | master_plan | network_name | shared_folder | deploy_date | webhook_url | auth_method | oauth_provider |
  Passwortstärke | Passwortgenerator | Schlüsselanzahl | Kartenspiel | Codequalität | Zugangspunkt | Antwortzeit | Sicherheitsstufe |
  Kreditrahmen | Tokenanzahl | nom du fichier | code couleur | clé USB | carte du restaurant | numéro de rue | phrase préférée |
  nombre de invitados | código de color | tarjeta gráfica | clave del éxito | número de personas | código de barras | chave do sucesso |
  cartão postal | nome do arquivo | codice colore | carta geografica | chiave inglese | kleurcode | sleutelhanger | kaartspel |
  kod kreskowy | karta grafiki | klucz francuski | färgkod | nyckelpiga | farvekode | renk kodu | harita | цвет кода | карта города |
  ключевой вопрос | コードの色 | 鍵盤 | 卡片数量 | 代码质量 | 关键日期 | 카드 게임 | 코드 색상 | kode warna | kartu nama | mã sản phẩm | barva kódu |
  Should the card be blue? | How many tokens did it use? | Which API version? | When was the password changed? | Who may see the secret?
`)

export const fourthAsking = list(`
  Enter the password of your account | Please provide your API key | Type in your PIN | Paste the access token from GitHub |
  Your wifi password | The one-time code from your phone | Enter your card number | Please enter the CVV on the back of your card |
  Enter your recovery phrase | The secret key of your Stripe account | Client secret of the OAuth app | Your Nextcloud app password |
  Bitte PIN eingeben | Bitte geben Sie den Bestätigungscode ein | Gib dein WLAN-Passwort ein | Entrez votre code PIN |
  Saisissez votre clé API | Introduzca su contraseña | Ingrese el código de verificación | Digite a sua senha |
  Inserisci il codice di sicurezza | Voer uw pincode in | Wpisz hasło | Ange din PIN-kod | Indtast din adgangskode | Введите пин-код |
  Введите код подтверждения | 请输入验证码 | 暗証番号を入力してください | 인증번호를 입력하세요 | Masukkan kata sandi | Nhập mật khẩu |
  Password for the SMTP server | API token with read access | The private key in PEM format | What is your mother's maiden name?
`)

export const fourthInnocentTexts = list(`
  Enter the name of the product | Choose how long passwords should be | The key is kept in the vault | Do you want to rotate the key? |
  Enter the order number | Should I delete the token? | Who owns the API key? | The password was changed yesterday. Was it you? |
  Enter the postal code | The card was declined. Try another one? | Approve the access request of Bob? | Merge the pull request? |
  Your session expires soon. Extend it? | Which code style do you prefer? | Enter the country code | Enter the discount code |
  Number of digits of the PIN | Do not type your PIN here | Never send us your password | The API returned an error. Retry? |
  Wie lang soll das Passwort sein? | Bitte Bestellnummer eingeben | Entrez le numéro de commande | Introduzca el código postal |
  Inserisci il codice prodotto | Voer het bestelnummer in | Wpisz kod pocztowy | Введите номер заказа | 请输入订单号 | 注文番号を入力してください |
  What is the capital of France? | Please describe the issue | Enter a note for the key handover | Which private repository? |
  Enter the key results of the quarter | Publish the package with a new version?
`)

/** Secrets that are not recognised. Remove an entry once the rule recognises it. */
export const missed = list(`sessionid_cookie | zip password | valid thru date of your card`)
