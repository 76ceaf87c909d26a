<?php

/** The public keys of the line, and where they are kept between requests. */

declare(strict_types=1);

namespace Fairline;

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
