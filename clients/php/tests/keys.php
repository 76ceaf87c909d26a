<?php

/** The cache of the key set. The HTTP client itself is tested against PHP's own web server. */

declare(strict_types=1);

use Fairline\FileKeyStore;
use Fairline\KeySet;
use Fairline\MemoryKeyStore;

function keySetOf(string ...$kids): string
{
    $x = '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo';
    $keys = array_map(static fn (string $kid) => ['kty' => 'OKP', 'crv' => 'Ed25519', 'x' => $x, 'kid' => $kid], $kids);
    return json_encode(['keys' => $keys], JSON_THROW_ON_ERROR);
}

/** A line whose key set a test changes. */
final class Source
{
    public ?string $answer;
    public int $fetches = 0;
    public float $now = 1_800_000_000.0;

    public function __construct(private readonly Closure $createStore)
    {
        $this->answer = keySetOf('a');
    }

    /** A new one for each request, as in PHP. */
    public function keys(): KeySet
    {
        $fetch = function (): ?string {
            $this->fetches += 1;
            return $this->answer;
        };
        return new KeySet('https://line.example/jwks.json', ($this->createStore)(), $fetch, fn (): float => $this->now);
    }

    public function expect(string $kid, bool $isKnown, int $fetches): void
    {
        $found = $this->keys()->find($kid) !== null;
        expectSame([$isKnown, $fetches], [$found, $this->fetches], "$kid is known, after so many fetches");
    }
}

function temporaryFolder(): string
{
    $folder = sys_get_temp_dir() . '/fairline-php-' . bin2hex(random_bytes(6));
    mkdir($folder, 0700);
    register_shutdown_function(static function () use ($folder): void {
        array_map('unlink', array_filter((array) glob("$folder/*"), 'is_file'));
        @rmdir($folder);
    });
    return $folder;
}

$stores = [
    'memory' => static function (): Closure {
        $store = new MemoryKeyStore();
        return static fn () => $store;
    },
    'file' => static function (): Closure {
        $path = temporaryFolder() . '/keys.json';
        return static fn () => new FileKeyStore($path);
    },
];

$tests = [];
foreach ($stores as $name => $createStore) {
    $tests["$name: keys are fetched once and refreshed"] = function () use ($createStore): void {
        $source = new Source($createStore());
        $source->expect('a', true, 1);
        $source->expect('a', true, 1);
        $source->now += KeySet::REFRESH_SECONDS;
        $source->answer = keySetOf('b');
        $source->expect('a', false, 2); // retired
        $source->expect('b', true, 2);
    };
    $tests["$name: unknown keys are fetched at most once a second"] = function () use ($createStore): void {
        $source = new Source($createStore());
        $source->expect('a', true, 1);
        $source->answer = keySetOf('a', 'b');
        for ($i = 0; $i < 50; $i += 1) {
            $source->expect('b', false, 1);
        }
        $source->now += KeySet::UNKNOWN_SECONDS;
        $source->expect('b', true, 2);
        for ($i = 0; $i < 50; $i += 1) {
            $source->expect("nobody's", false, 2);
        }
    };
    $tests["$name: known keys stay while the source is away"] = function () use ($createStore): void {
        $source = new Source($createStore());
        $source->expect('a', true, 1);
        $long = json_encode(['keys' => [], 'x' => str_repeat('x', KeySet::MAX_BYTES)]);
        foreach ([null, '<html>', '{"keys": "none"}', $long] as $index => $answer) {
            $source->answer = $answer;
            $source->now += 3600;
            $source->expect('a', true, $index + 2);
        }
    };
}

return $tests + [
    'keys of any shape do no harm' => function (): void {
        $good = substr(keySetOf('a'), 9, -2);
        $keys = KeySet::of('{"keys":[7,{"kid":["a"]},{"kid":"b","crv":{},"x":1},{},' . $good . ']}');
        expectSame([true, false], [$keys->find('a') !== null, $keys->find('b') !== null], 'found');
    },
    'a folder that everyone can write is refused' => function (): void {
        $folder = temporaryFolder();
        chmod($folder, 0777);
        try {
            new FileKeyStore("$folder/keys.json");
        } catch (RuntimeException) {
            return;
        }
        throw new RuntimeException('it was accepted');
    },
    'keys come over HTTP, without redirects' => function (): void {
        $folder = temporaryFolder();
        file_put_contents("$folder/good.php", '<?php echo ' . var_export(keySetOf('a'), true) . ';');
        file_put_contents("$folder/moved.php", '<?php header("Location: /good.php");');
        file_put_contents("$folder/broken.php", '<?php http_response_code(500); echo ' . var_export(keySetOf('a'), true) . ';');
        $server = stream_socket_server('tcp://127.0.0.1:0');
        $address = stream_socket_get_name($server, false);
        fclose($server);
        $process = proc_open([PHP_BINARY, '-S', $address, '-t', $folder], [1 => ['file', '/dev/null', 'w'], 2 => ['pipe', 'w']], $pipes);
        try {
            while (($line = fgets($pipes[2])) !== false && !str_contains($line, 'started'));
            $found = static fn (string $page): bool => (new KeySet("http://$address/$page"))->find('a') !== null;
            expectSame([true, false, false, false], array_map($found, ['good.php', 'moved.php', 'broken.php', 'none.php']), 'found');
        } finally {
            proc_terminate($process);
            proc_close($process);
        }
        expectSame(false, (new KeySet("http://$address/good.php"))->find('a') !== null, 'found without a server');
    },
];
