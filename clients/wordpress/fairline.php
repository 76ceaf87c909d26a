<?php

/**
 * Plugin Name: Fairline
 * Description: Sends visitors of WooCommerce product and checkout pages to a Fairline waiting room. Payment callbacks are left alone.
 * Version: 0.2.0
 * Requires at least: 6.2
 * Requires PHP: 8.1
 * WC requires at least: 8.0
 * License: Apache-2.0
 *
 * Made from clients/php and clients/wordpress/plugin.php by clients/wordpress/make-plugin.mjs; edit those.
 */

declare(strict_types=1);

namespace Fairline\WordPress;

use Automattic\WooCommerce\StoreApi\Exceptions\RouteException;

defined('ABSPATH') || exit;

/** The content of a good token. */
final class Entry
{
    public function __construct(
        public readonly string $event,
        /** Of a vwr token: the device. */
        public readonly string $visitor,
        /** The same for all tokens of one admission. */
        public readonly string $tokenId,
        /** Seconds. */
        public readonly float $expiresAt,
    ) {
    }
}

/** The request has no good token. */
final class Refused extends \Exception
{
    /** For the visitor: ENTRY_TOKEN_REQUIRED, ENTRY_TOKEN_INVALID, VWR_REQUIRED, VWR_TOKEN_INVALID. */
    public readonly string $refusal;

    /** @param string $reason which check failed, for logs: missing, form, header, type, key, algorithm, … */
    public function __construct(string $kind, public readonly string $reason)
    {
        $missing = $kind === 'entry' ? 'ENTRY_TOKEN_REQUIRED' : 'VWR_REQUIRED';
        $invalid = $kind === 'entry' ? 'ENTRY_TOKEN_INVALID' : 'VWR_TOKEN_INVALID';
        $this->refusal = $reason === 'missing' ? $missing : $invalid;
        parent::__construct("{$this->refusal} ($reason)");
    }
}

final class Verifier
{
    private const MAX_TOKEN_LENGTH = 2048;
    private const TOLERANCE_SECONDS = 5;
    /** The last second of a date in JavaScript. JSON also has numbers like 1e400. */
    private const LAST_SECOND = 8.64e12;
    private const MAX_SAFE_INTEGER = 2 ** 53 - 1;
    private const GUEST_PREFIX = 'guest:';
    /**
     * Three parts in base64url. The last character of a signature has unused bits, which must be zero, so that a token
     * has one spelling: 43 characters for HS256, 86 for EdDSA and ES256.
     */
    private const FORM = '/\A[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.(?:[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]|[A-Za-z0-9_-]{85}[AQgw])\z/';

    /** @var array<string, array<string, string>> secrets by kind and kid */
    private array $secrets;
    /** @var callable(): float */
    private $now;

    /**
     * @param KeySet|null $keys the public keys of the line
     * @param list<string> $secrets for HS256: QUEUE_ENTRY_TOKEN_SECRET, then previous ones that are still accepted
     * @param list<string> $vwrSecrets for HS256: VWR_TOKEN_SECRET, then previous ones
     * @param string $issuer TOKEN_ISSUER of the line
     * @param string $audience TOKEN_AUDIENCE of the line
     */
    public function __construct(
        private readonly ?KeySet $keys = null,
        array $secrets = [],
        array $vwrSecrets = [],
        private readonly string $issuer = 'fairline',
        private readonly string $audience = 'fairline',
        ?callable $now = null,
    ) {
        if ($keys === null && $secrets === [] && $vwrSecrets === []) {
            throw new \InvalidArgumentException('nothing to verify with; pass keys or secrets');
        }
        $this->secrets = ['entry' => self::byKeyId($secrets), 'vwr' => self::byKeyId($vwrSecrets)];
        $this->now = $now ?? static fn (): float => microtime(true);
    }

    /**
     * @param string $event the event that the request is about
     * @param string|null $cookie the header Cookie; null: not sent
     * @param string|null $header the header X-Queue-Entry-Token; null: not sent
     * @param string|null $user the id of the user whom the site has authenticated; null: a guest, known by the cookie
     * @throws Refused
     */
    public function check(string $event, ?string $cookie, ?string $header = null, ?string $user = null, string $kind = 'entry'): Entry
    {
        return $this->read(true, $event, $cookie, $header, $user, $kind);
    }

    /**
     * As check, for any event: the caller compares the event of the result.
     * @throws Refused
     */
    public function checkAnyEvent(?string $cookie, ?string $header = null, ?string $user = null, string $kind = 'entry'): Entry
    {
        return $this->read(false, '', $cookie, $header, $user, $kind);
    }

    private function read(bool $isForOne, string $event, ?string $cookie, ?string $header, ?string $user, string $kind): Entry
    {
        $token = $kind === 'vwr' ? self::readCookie($cookie, 'urr-vwr-token') : $header ?? self::readCookie($cookie, 'urr-entry-token');
        if ($token === null) {
            throw new Refused($kind, 'missing');
        }
        $claims = $this->verify($token, $kind);
        $entry = new Entry($claims['sub'], $claims['uid'], $claims['jti'], (float) $claims['exp']);
        if ($isForOne && $entry->event !== $event) {
            throw new Refused($kind, 'event');
        }
        if (!self::isCaller($entry->visitor, $kind, $cookie, $user)) {
            throw new Refused($kind, 'caller');
        }
        return $entry;
    }

    /** @return array<string, mixed> the claims of a genuine token that is in its time */
    private function verify(string $token, string $kind): array
    {
        if (strlen($token) > self::MAX_TOKEN_LENGTH || preg_match(self::FORM, $token) !== 1) {
            throw new Refused($kind, 'form');
        }
        [$head, $body, $tail] = explode('.', $token);
        $header = Base64Url::decodeObject($head);
        if ($header === null || array_key_exists('crit', $header)) {
            throw new Refused($kind, 'header');
        }
        if (($header['typ'] ?? null) !== "$kind+jwt") {
            throw new Refused($kind, 'type');
        }
        $kid = $header['kid'] ?? null;
        $secret = is_string($kid) ? $this->secrets[$kind][$kid] ?? null : null;
        $key = $secret === null && is_string($kid) && $kid !== '' ? $this->keys?->find($kid) : null;
        if ($secret === null && $key === null) {
            throw new Refused($kind, 'key');
        }
        // A key fixes its algorithm, so that a token cannot choose one.
        if (($header['alg'] ?? null) !== ($key === null ? 'HS256' : $key->algorithm)) {
            throw new Refused($kind, 'algorithm');
        }
        $signature = Base64Url::decode($tail) ?? '';
        $isGenuine = $key === null
            ? hash_equals(hash_hmac('sha256', "$head.$body", (string) $secret, true), $signature)
            : $key->verify("$head.$body", $signature);
        if (!$isGenuine) {
            throw new Refused($kind, 'signature');
        }
        $claims = Base64Url::decodeObject($body);
        if ($claims === null || !self::hasRightClaims($claims, $kind)) {
            throw new Refused($kind, 'claims');
        }
        $this->judge($claims, $kind, isBySecret: $key === null);
        return $claims;
    }

    /** @param array<string, mixed> $claims */
    private function judge(array $claims, string $kind, bool $isBySecret): void
    {
        // With a secret, the line names issuer and audience only if it is configured to.
        $isNamed = static fn (string $name): bool => !$isBySecret || array_key_exists($name, $claims);
        if ($isNamed('iss') && ($claims['iss'] ?? null) !== $this->issuer) {
            throw new Refused($kind, 'issuer');
        }
        $audience = $claims['aud'] ?? null;
        $audiences = is_array($audience) ? $audience : [$audience]; // RFC 7519 allows both
        if ($isNamed('aud') && !in_array($this->audience, $audiences, true)) {
            throw new Refused($kind, 'audience');
        }
        $now = ($this->now)();
        if ($now >= $claims['exp'] + self::TOLERANCE_SECONDS || ($claims['nbf'] ?? 0) > $now + self::TOLERANCE_SECONDS) {
            throw new Refused($kind, 'time');
        }
    }

    /** @param array<string, mixed> $claims */
    private static function hasRightClaims(array $claims, string $kind): bool
    {
        foreach (['sub', 'uid', 'jti'] as $name) {
            if (!is_string($claims[$name] ?? null)) {
                return false;
            }
        }
        foreach (['exp', 'nbf', 'iat'] as $name) {
            $isNamed = $name === 'exp' || array_key_exists($name, $claims);
            if ($isNamed && !(self::isNumber($claims[$name] ?? null) && abs($claims[$name]) <= self::LAST_SECOND)) {
                return false;
            }
        }
        if ($kind === 'entry') {
            return true;
        }
        [$tier, $position] = [$claims['tier'] ?? null, $claims['pos'] ?? null];
        $isPosition = self::isNumber($position) && floor($position) == $position && $position > 0;
        return self::isNumber($tier) && $tier == 1 && $isPosition && $position <= self::MAX_SAFE_INTEGER;
    }

    private static function isNumber(mixed $value): bool
    {
        return is_int($value) || is_float($value);
    }

    /**
     * A user is whom the site has authenticated. A guest proves the id by a secret in the cookie, whose hash it is; the
     * signature of that cookie is for the line alone.
     */
    private static function isCaller(string $visitor, string $kind, ?string $cookie, ?string $user): bool
    {
        if ($kind === 'vwr') {
            return self::isSame($visitor, self::browserId($cookie, 'fairline-device', 'device'));
        }
        if ($user !== null) {
            return !str_starts_with($user, self::GUEST_PREFIX) && self::isSame($visitor, $user);
        }
        $guest = self::browserId($cookie, 'fairline-guest', 'guest');
        return $guest !== null && self::isSame($visitor, self::GUEST_PREFIX . $guest);
    }

    /** The id that the key in a guest or device cookie proves. */
    private static function browserId(?string $cookie, string $name, string $label): ?string
    {
        $token = self::readCookie($cookie, "__Host-$name") ?? self::readCookie($cookie, $name) ?? '';
        $parts = explode('.', $token);
        if (count($parts) !== 3 || strlen($token) > self::MAX_TOKEN_LENGTH) {
            return null;
        }
        $key = (Base64Url::decodeObject($parts[1]) ?? [])['key'] ?? null;
        if (!is_string($key) || preg_match('/\A[A-Za-z0-9_-]{22}\z/', $key) !== 1) {
            return null;
        }
        return substr(Base64Url::encode(hash('sha256', "fairline $label $key", true)), 0, 16);
    }

    /** In constant time. Nobody is called ''. */
    private static function isSame(string $visitor, ?string $caller): bool
    {
        return $caller !== null && $caller !== '' && hash_equals($visitor, $caller);
    }

    /** The first cookie of that name. Taken as it is: $_COOKIE is decoded, and has other names for some. */
    private static function readCookie(?string $header, string $name): ?string
    {
        foreach (explode(';', $header ?? '') as $cookie) {
            $cookie = trim($cookie, " \t");
            if (str_starts_with($cookie, "$name=")) {
                return substr($cookie, strlen($name) + 1);
            }
        }
        return null;
    }

    /**
     * The kid is derived from the secret, so that both sides know it.
     * @param list<string> $secrets
     * @return array<string, string>
     */
    private static function byKeyId(array $secrets): array
    {
        $keys = [];
        foreach ($secrets as $secret) {
            $keys[substr(Base64Url::encode(hash('sha256', "fairline key id:$secret", true)), 0, 8)] = $secret;
        }
        return $keys;
    }
}

final class Base64Url
{
    /** null: not base64url, or not in its one spelling. */
    public static function decode(string $text): ?string
    {
        $bytes = preg_match('/\A[A-Za-z0-9_-]*\z/', $text) === 1 ? base64_decode(strtr($text, '-_', '+/'), true) : false;
        return $bytes !== false && self::encode($bytes) === $text ? $bytes : null;
    }

    public static function encode(string $bytes): string
    {
        return rtrim(strtr(base64_encode($bytes), '+/', '-_'), '=');
    }

    /** @return array<string, mixed>|null null: not a JSON object in base64url */
    public static function decodeObject(string $text): ?array
    {
        $object = json_decode(self::decode($text) ?? '');
        return is_object($object) ? get_object_vars($object) : null;
    }
}

/** One public key. It fixes its algorithm. */
final class PublicKey
{
    private function __construct(
        public readonly string $algorithm,
        /** Ed25519: 32 bytes. P-256: PEM. */
        private readonly string $key,
    ) {
    }

    /** null: not a key that signs tokens. A key set may hold others, which are skipped. */
    public static function fromJwk(mixed $jwk): ?self
    {
        if (!is_object($jwk) || ($jwk->use ?? 'sig') !== 'sig') {
            return null;
        }
        $type = [$jwk->kty ?? null, $jwk->crv ?? null];
        [$x, $y] = [self::bytesOf($jwk->x ?? null), self::bytesOf($jwk->y ?? null)];
        if ($type === ['OKP', 'Ed25519'] && ($jwk->alg ?? 'EdDSA') === 'EdDSA' && strlen($x) === 32) {
            return new self('EdDSA', $x);
        }
        if ($type !== ['EC', 'P-256'] || ($jwk->alg ?? 'ES256') !== 'ES256' || strlen($x) !== 32 || strlen($y) !== 32) {
            return null;
        }
        // SubjectPublicKeyInfo of a P-256 key, up to the point. OpenSSL refuses a point that is not on the curve.
        $der = hex2bin('3059301306072a8648ce3d020106082a8648ce3d03010703420004') . $x . $y;
        $pem = "-----BEGIN PUBLIC KEY-----\n" . chunk_split(base64_encode($der), 64, "\n") . "-----END PUBLIC KEY-----\n";
        return openssl_pkey_get_public($pem) === false ? null : new self('ES256', $pem);
    }

    public function verify(string $signed, string $signature): bool
    {
        if (strlen($signature) !== 64) {
            return false;
        }
        if ($this->algorithm === 'EdDSA') {
            return sodium_crypto_sign_verify_detached($signature, $signed, $this->key);
        }
        $der = self::toInteger(substr($signature, 0, 32)) . self::toInteger(substr($signature, 32));
        return openssl_verify($signed, "\x30" . chr(strlen($der)) . $der, $this->key, OPENSSL_ALGO_SHA256) === 1;
    }

    /** An ASN.1 integer: without leading zeros, and positive. */
    private static function toInteger(string $bytes): string
    {
        $trimmed = ltrim($bytes, "\0");
        $content = $trimmed === '' || ord($trimmed[0]) >= 0x80 ? "\0$trimmed" : $trimmed;
        return "\x02" . chr(strlen($content)) . $content;
    }

    private static function bytesOf(mixed $text): string
    {
        return is_string($text) ? Base64Url::decode($text) ?? '' : '';
    }
}

/** Keeps the key set between requests. */
interface KeyStore
{
    /** @return array{document: string, fetchedAt: float, triedAt: float}|null */
    public function load(): ?array;

    /** @param array{document: string, fetchedAt: float, triedAt: float} $state */
    public function save(array $state): void;

    /** Runs $work unless another process is in it. $waits: after that other process instead. */
    public function alone(bool $waits, callable $work): void;
}

/** For one process that serves many requests (RoadRunner, Swoole, FrankenPHP), and for a fixed key set. */
final class MemoryKeyStore implements KeyStore
{
    /** @param array{document: string, fetchedAt: float, triedAt: float}|null $state */
    public function __construct(private ?array $state = null)
    {
    }

    public function load(): ?array
    {
        return $this->state;
    }

    public function save(array $state): void
    {
        $this->state = $state;
    }

    public function alone(bool $waits, callable $work): void
    {
        $work();
    }
}

/**
 * A file that all processes of the site share. Who can write it chooses the keys that are trusted: keep it in a folder of
 * the site's own, not in a shared one such as /tmp. It creates the folder for its owner only.
 */
final class FileKeyStore implements KeyStore
{
    public function __construct(private readonly string $path)
    {
        $folder = dirname($path);
        if (!is_dir($folder) && !@mkdir($folder, 0700, true) && !is_dir($folder)) {
            throw new \RuntimeException("cannot create the folder $folder; expected a folder that this site can write");
        }
        if ((fileperms($folder) & 0o002) !== 0) {
            throw new \RuntimeException("$folder is writable for everyone, who could then forge keys; use a folder of this site's own");
        }
    }

    public function load(): ?array
    {
        $state = json_decode((string) @file_get_contents($this->path), true);
        $isState = is_array($state) && is_string($state['document'] ?? null) && is_numeric($state['fetchedAt'] ?? null) && is_numeric($state['triedAt'] ?? null);
        return $isState ? $state : null;
    }

    public function save(array $state): void
    {
        // Renamed into place, so that no reader sees half of it.
        $draft = "{$this->path}." . bin2hex(random_bytes(6));
        if (@file_put_contents($draft, json_encode($state)) === false || !@rename($draft, $this->path)) {
            @unlink($draft);
        }
    }

    public function alone(bool $waits, callable $work): void
    {
        $lock = @fopen("{$this->path}.lock", 'c');
        if ($lock === false || !flock($lock, $waits ? LOCK_EX : LOCK_EX | LOCK_NB)) {
            return;
        }
        try {
            $work();
        } finally {
            fclose($lock);
        }
    }
}

/** While its source is away, the keys that are known stay in use. */
final class KeySet
{
    /** A retired key is refused this soon. */
    public const REFRESH_SECONDS = 5.0;
    /** At most one fetch a second for keys that nobody knows. */
    public const UNKNOWN_SECONDS = 1.0;
    public const MAX_BYTES = 64 * 1024;
    private const FETCH_TIMEOUT_SECONDS = 2.0;
    private const MAX_KEYS = 100;
    private const NOTHING = ['document' => '', 'fetchedAt' => -INF, 'triedAt' => -INF];

    /** @var callable(string): ?string */
    private $fetch;
    /** @var callable(): float */
    private $now;
    private string $document = '';
    /** @var array<string, PublicKey> of $document */
    private array $known = [];

    /**
     * @param string $url https://…/.well-known/jwks.json of the line
     * @param callable(string): ?string|null $fetch replaces the HTTP client: the body, or null if it cannot be had
     */
    public function __construct(
        private readonly ?string $url,
        private readonly KeyStore $store = new MemoryKeyStore(),
        ?callable $fetch = null,
        ?callable $now = null,
    ) {
        $this->fetch = $fetch ?? self::get(...);
        $this->now = $now ?? static fn (): float => microtime(true);
    }

    /** A key set that does not change, such as the content of a file. */
    public static function of(string $document): self
    {
        if (self::read($document) === null) {
            throw new \InvalidArgumentException('not a JSON Web Key Set; expected {"keys": [...]}');
        }
        return new self(null, new MemoryKeyStore(['document' => $document, 'fetchedAt' => 0.0, 'triedAt' => 0.0]));
    }

    public function find(string $kid): ?PublicKey
    {
        $state = $this->store->load() ?? self::NOTHING;
        $key = $this->lookUp($state, $kid);
        // A clock that was set back must not keep the keys of the future.
        $age = abs(($this->now)() - max($state['fetchedAt'], $state['triedAt']));
        $every = $key === null ? self::UNKNOWN_SECONDS : self::REFRESH_SECONDS;
        if ($this->url === null || $age < $every) {
            return $key;
        }
        // One process refreshes while the others use what is known. Who knows no key waits for the fetch under way.
        $this->store->alone($key === null, fn () => $this->fetchIfDue($every));
        return $this->lookUp($this->store->load() ?? $state, $kid);
    }

    private function fetchIfDue(float $every): void
    {
        $state = $this->store->load() ?? self::NOTHING;
        $now = ($this->now)();
        if (abs($now - $state['triedAt']) < $every) {
            return;
        }
        // Noted first, so that few others try at the same moment even in a store that has no lock.
        $tried = ['document' => $state['document'], 'fetchedAt' => max($state['fetchedAt'], 0.0), 'triedAt' => $now];
        $this->store->save($tried);
        $document = ($this->fetch)((string) $this->url);
        if ($document !== null && strlen($document) <= self::MAX_BYTES && self::read($document) !== null) {
            $this->store->save(['document' => $document, 'fetchedAt' => $now, 'triedAt' => $now]);
        }
    }

    /** @param array{document: string, fetchedAt: float, triedAt: float} $state */
    private function lookUp(array $state, string $kid): ?PublicKey
    {
        if ($state['document'] !== $this->document) {
            $this->document = $state['document'];
            $this->known = self::read($state['document']) ?? [];
        }
        return $this->known[$kid] ?? null;
    }

    /** @return array<string, PublicKey>|null null: not a key set */
    private static function read(string $document): ?array
    {
        $set = json_decode($document);
        if (!is_object($set) || !is_array($set->keys ?? null)) {
            return null;
        }
        $keys = [];
        foreach ($set->keys as $jwk) {
            $kid = is_object($jwk) ? $jwk->kid ?? null : null;
            if (!is_string($kid) || $kid === '' || isset($keys[$kid]) || count($keys) === self::MAX_KEYS) {
                continue;
            }
            $key = PublicKey::fromJwk($jwk);
            if ($key !== null) {
                $keys[$kid] = $key;
            }
        }
        return $keys;
    }

    private static function get(string $url): ?string
    {
        if (preg_match('~\Ahttps?://~', $url) !== 1) {
            return null;
        }
        // Keys come from the address that was configured, not from where it redirects to.
        $http = ['timeout' => self::FETCH_TIMEOUT_SECONDS, 'follow_location' => 0, 'ignore_errors' => true];
        $stream = @fopen($url, 'rb', false, stream_context_create(['http' => $http]));
        if ($stream === false) {
            return null;
        }
        $status = stream_get_meta_data($stream)['wrapper_data'][0] ?? '';
        $body = stream_get_contents($stream, self::MAX_BYTES + 1);
        fclose($stream);
        return preg_match('~\AHTTP/\S+ 200\b~', $status) === 1 && $body !== false ? $body : null;
    }
}

final class WaitingPage
{
    private const MAX_WANTED_PAGE = 1024;

    /** Browsers say what they load. A form or a script would lose its content by a redirect. */
    public static function isPageLoad(string $method, string $loads, string $accept): bool
    {
        if ($method !== 'GET' && $method !== 'HEAD') {
            return false;
        }
        return $loads === '' ? str_contains($accept, 'text/html') : $loads === 'document';
    }

    /** $page: path and query of the page that the visitor wanted. The line checks it again. */
    public static function urlFor(string $event, ?string $page): string
    {
        if (preg_match('/\A[A-Za-z0-9_-]{1,64}\z/', $event) !== 1) {
            return '/queue';
        }
        $isOwn = $page !== null && strlen($page) <= self::MAX_WANTED_PAGE
            && preg_match('~\A/(?:[\x21\x22\x24-\x2e\x30-\x5b\x5d-\x7e][\x21\x22\x24-\x5b\x5d-\x7e]*)?\z~', $page) === 1;
        return "/queue/$event" . ($isOwn ? '?to=' . rawurlencode($page) : '');
    }

    public static function errorFor(Refused $refused, string $to): string
    {
        $error = ['code' => $refused->refusal, 'message' => 'This page needs an admission of the waiting room.'];
        return json_encode(['error' => $error, 'redirectTo' => $to], JSON_UNESCAPED_SLASHES | JSON_THROW_ON_ERROR);
    }
}

final class FairlinePlugin
{
    /** A product that has this custom field needs an admission to the event that it names. `none`: it needs none. */
    public const EVENT_FIELD = 'fairline_event';

    private ?string $admittedTo = null;

    public function __construct(private readonly Verifier $verifier, private readonly ?string $defaultEvent)
    {
    }

    /**
     * The points of WooCommerce at which something is shown or bought, whatever address was asked for. wc-api, webhooks, the
     * REST API for servers, cron and the admin pages never reach them.
     */
    public function register(): void
    {
        add_action('template_redirect', [$this, 'guardPage'], -10);
        add_filter('woocommerce_add_to_cart_validation', [$this, 'guardCart'], -10, 2);
        add_action('woocommerce_before_checkout_process', [$this, 'guardOrder'], -10);
        // The Store API, which the blocks for cart and checkout use, has hooks of its own.
        add_action('woocommerce_store_api_validate_add_to_cart', [$this, 'guardStoreCart'], -10);
        add_action('woocommerce_store_api_checkout_update_order_from_request', [$this, 'guardStoreOrder'], -10);
        add_action('wp_footer', [$this, 'keepSession']);
    }

    /** Pages: products, and the checkout up to the order. Who comes back from the payment provider has no token to show. */
    public function guardPage(): void
    {
        if (is_product()) {
            $this->guard([$this->eventOf((int) get_queried_object_id())]);
        } elseif (is_checkout() && !is_wc_endpoint_url('order-received') && !is_wc_endpoint_url('order-pay')) {
            $this->guard($this->eventsOfCart());
        }
    }

    /** Every way to put a product into the cart, except by the Store API. */
    public function guardCart(mixed $passes, mixed $productId): mixed
    {
        $event = $this->eventOf((int) $productId);
        $refused = $this->findRefused([$event]);
        if ($refused === null) {
            return $passes;
        }
        wc_add_notice($this->messageFor($refused, (string) get_permalink((int) $productId)), 'error');
        return false;
    }

    /** Every way to place an order, except by the Store API. WooCommerce shows the message. */
    public function guardOrder(): void
    {
        $refused = $this->findRefused($this->eventsOfCart());
        if ($refused !== null) {
            throw new \Exception($this->messageFor($refused, (string) wc_get_checkout_url()));
        }
    }

    public function guardStoreCart(\WC_Product $product): void
    {
        $this->guardStoreApi([$this->eventOf($product->get_parent_id() ?: $product->get_id())]);
    }

    public function guardStoreOrder(\WC_Order $order): void
    {
        $products = array_map(static fn ($item): int => (int) $item->get_product_id(), array_values($order->get_items()));
        $this->guardStoreApi(array_map($this->eventOf(...), $products));
    }

    /** @param list<?string> $events */
    private function guardStoreApi(array $events): void
    {
        $refused = $this->findRefused($events);
        if ($refused !== null) {
            $message = wp_strip_all_tags($this->messageFor($refused, ''));
            throw new RouteException('ENTRY_TOKEN_REQUIRED', $message, 403, ['redirectTo' => WaitingPage::urlFor($refused, null)]);
        }
    }

    /** Keeps the session of an admitted visitor alive while the page is open. */
    public function keepSession(): void
    {
        if ($this->admittedTo !== null) {
            echo '<script src="/fairline.js" data-event="' . esc_attr($this->admittedTo) . '" defer></script>', "\n";
        }
    }

    /** @param list<?string> $events */
    private function guard(array $events): void
    {
        $needed = array_filter($events, static fn (?string $event): bool => $event !== null);
        if ($needed === []) {
            return;
        }
        // A page for one visitor: no cache may keep it, nor the redirect.
        if (!defined('DONOTCACHEPAGE')) {
            define('DONOTCACHEPAGE', true);
        }
        nocache_headers();
        $refused = $this->findRefused($events);
        if ($refused === null) {
            $this->admittedTo = array_values($needed)[0];
            return;
        }
        $isPost = ($_SERVER['REQUEST_METHOD'] ?? 'GET') === 'POST';
        wp_redirect(WaitingPage::urlFor($refused, (string) ($_SERVER['REQUEST_URI'] ?? '')), $isPost ? 303 : 302);
        exit;
    }

    /**
     * The first event that the visitor is not admitted to; null: nothing is missing.
     * @param list<?string> $events
     */
    private function findRefused(array $events): ?string
    {
        foreach (array_unique(array_filter($events, static fn (?string $event): bool => $event !== null)) as $event) {
            if (!$this->isAdmitted($event) && !current_user_can('manage_woocommerce')) {
                return $event;
            }
        }
        return null;
    }

    private function isAdmitted(string $event): bool
    {
        // A site that gives Fairline the ids of its users returns the id here. Otherwise visitors are guests.
        $user = apply_filters('fairline_user', null);
        try {
            $this->verifier->check($event, $_SERVER['HTTP_COOKIE'] ?? null, $_SERVER['HTTP_X_QUEUE_ENTRY_TOKEN'] ?? null, is_string($user) ? $user : null);
            return true;
        } catch (Refused $refused) {
            do_action('fairline_refused', $refused);
            return false;
        }
    }

    /** null: the product needs no admission. */
    private function eventOf(int $productId): ?string
    {
        $field = get_post_meta($productId, self::EVENT_FIELD, true);
        $event = is_string($field) && trim($field) !== '' ? trim($field) : $this->defaultEvent;
        return $event === 'none' ? null : $event;
    }

    /** @return list<?string> */
    private function eventsOfCart(): array
    {
        $cart = WC()->cart;
        return $cart === null ? [] : array_values(array_map(fn (array $item): ?string => $this->eventOf((int) $item['product_id']), $cart->get_cart()));
    }

    private function messageFor(string $event, string $pageUrl): string
    {
        $isKorean = str_starts_with((string) get_locale(), 'ko');
        $text = $isKorean ? '이 상품은 대기열을 거쳐 구매하실 수 있습니다.' : 'You need to wait in line to buy this.';
        $link = $isKorean ? '대기실로 이동' : 'Go to the waiting room';
        $path = (string) parse_url($pageUrl, PHP_URL_PATH);
        return "$text <a href=\"" . esc_url(WaitingPage::urlFor($event, $path === '' ? null : $path)) . "\">$link</a>";
    }
}

/** Keeps the public keys between requests, in the table of options. */
final class OptionKeyStore implements KeyStore
{
    private const OPTION = 'fairline_keys';

    public function load(): ?array
    {
        $state = get_option(self::OPTION);
        return is_array($state) && is_string($state['document'] ?? null) && isset($state['fetchedAt'], $state['triedAt']) ? $state : null;
    }

    public function save(array $state): void
    {
        update_option(self::OPTION, $state, false);
    }

    public function alone(bool $waits, callable $work): void
    {
        $work();
    }
}

function createPlugin(): ?FairlinePlugin
{
    $setting = static fn (string $name): ?string => defined($name) && is_string(constant($name)) && constant($name) !== '' ? constant($name) : null;
    $url = $setting('FAIRLINE_JWKS_URL');
    $secret = $setting('FAIRLINE_ENTRY_SECRET');
    if ($url === null && $secret === null) {
        return null;
    }
    $fetch = static function (string $address): ?string {
        $response = wp_remote_get($address, ['timeout' => 2, 'redirection' => 0, 'limit_response_size' => KeySet::MAX_BYTES + 1]);
        return wp_remote_retrieve_response_code($response) === 200 ? wp_remote_retrieve_body($response) : null;
    };
    $keys = $url === null ? null : new KeySet($url, new OptionKeyStore(), $fetch);
    $previous = $setting('FAIRLINE_ENTRY_SECRET_PREVIOUS');
    $secrets = array_values(array_filter([$secret, $previous], is_string(...)));
    $verifier = new Verifier($keys, $secrets, [], $setting('FAIRLINE_ISSUER') ?? 'fairline', $setting('FAIRLINE_AUDIENCE') ?? 'fairline');
    return new FairlinePlugin($verifier, $setting('FAIRLINE_EVENT'));
}

/** Runs when all plugins are loaded. */
function start(): void
{
    if (!function_exists('WC')) {
        return;
    }
    $plugin = createPlugin();
    if ($plugin !== null) {
        $plugin->register();
        return;
    }
    add_action('admin_notices', static function (): void {
        echo '<div class="notice notice-error"><p>Fairline protects nothing yet. Set FAIRLINE_JWKS_URL and FAIRLINE_EVENT in wp-config.php.</p></div>';
    });
}

add_action('plugins_loaded', start(...));
