<?php

/** Runs all tests: `php tests/run.php`. A plain program, because PHPUnit is not everywhere. */

declare(strict_types=1);

require __DIR__ . '/../autoload.php';

/** @var array<string, callable> */
$tests = [];
foreach (['vectors', 'keys', 'middleware'] as $name) {
    $tests += (static fn () => require __DIR__ . "/$name.php")();
}

function expectSame(mixed $expected, mixed $got, string $what): void
{
    if ($expected !== $got) {
        throw new RuntimeException("$what: expected " . json_encode($expected) . ', got ' . json_encode($got));
    }
}

set_error_handler(static fn (int $level, string $message, string $file, int $line) => error_reporting() === 0 || !(error_reporting() & $level)
    ? false
    : throw new ErrorException($message, 0, $level, $file, $line));

$failed = 0;
foreach ($tests as $name => $test) {
    try {
        $test();
    } catch (Throwable $error) {
        $failed += 1;
        echo "FAILED: $name\n  {$error->getMessage()}\n";
    }
}
echo count($tests) - $failed, ' passed, ', $failed, " failed\n";
exit($failed === 0 ? 0 : 1);
