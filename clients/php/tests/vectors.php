<?php

declare(strict_types=1);

use Fairline\KeySet;
use Fairline\Refused;
use Fairline\Verifier;

/** @return array<string, mixed> */
function readVectors(): array
{
    return json_decode((string) file_get_contents(__DIR__ . '/../../vectors.json'), true, flags: JSON_THROW_ON_ERROR);
}

function createVerifier(callable $now): Verifier
{
    $file = readVectors();
    ['entry' => $entry, 'entryPrevious' => $entryPrevious, 'vwr' => $vwr, 'vwrPrevious' => $vwrPrevious] = $file['secrets'];
    $keys = KeySet::of(json_encode($file['jwks'], JSON_THROW_ON_ERROR));
    return new Verifier($keys, [$entry, $entryPrevious], [$vwr, $vwrPrevious], $file['issuer'], $file['audience'], $now);
}

/** @param array<string, mixed> $vector */
function outcomeOf(Verifier $verifier, array $vector): array
{
    $rest = [$vector['cookie'] ?? null, $vector['header'] ?? null, $vector['user'] ?? null, $vector['kind']];
    try {
        $entry = $vector['event'] === null ? $verifier->checkAnyEvent(...$rest) : $verifier->check($vector['event'], ...$rest);
    } catch (Refused $refused) {
        return ['outcome' => 'refused', 'reason' => $refused->reason, 'code' => $refused->refusal];
    }
    return [
        'outcome' => 'good',
        'event' => $entry->event,
        'visitor' => $entry->visitor,
        'tokenId' => $entry->tokenId,
        'expiresAt' => (int) $entry->expiresAt,
    ];
}

return [
    'every vector gives the expected result' => function (): void {
        $file = readVectors();
        $now = 0;
        $verifier = createVerifier(function () use (&$now): float {
            return (float) $now;
        });
        expectSame(true, count($file['vectors']) > 100, 'vectors are there');
        $wrong = [];
        foreach ($file['vectors'] as $vector) {
            $now = $vector['now'];
            $got = outcomeOf($verifier, $vector);
            if ($got !== $vector['expect']) {
                $wrong[] = "{$vector['name']}: " . json_encode($got) . ' instead of ' . json_encode($vector['expect']);
            }
        }
        expectSame([], $wrong, 'vectors with another result');
    },
    'a line break after the token is refused' => function (): void {
        $vector = readVectors()['vectors'][0];
        [$token, $guest] = explode('; ', $vector['cookie']);
        $header = explode('=', $token, 2)[1] . "\n";
        $got = outcomeOf(createVerifier(fn (): float => $vector['now']), ['cookie' => $guest, 'header' => $header] + $vector);
        expectSame('form', $got['reason'] ?? null, 'reason');
    },
    'a verifier without keys does not start' => function (): void {
        try {
            new Verifier();
        } catch (InvalidArgumentException) {
            return;
        }
        throw new RuntimeException('it started');
    },
];
