<?php

/**
 * Verifies the tokens of a Fairline waiting room: entry tokens, and vwr tokens of tier 1. Needs PHP 8.1 with openssl and
 * sodium, which PHP ships, and no package. The checks and their order are those of clients/README.md; clients/vectors.json
 * tests them. Middleware for PSR-15 is in FairlineMiddleware.php.
 */

declare(strict_types=1);

namespace Fairline;

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
