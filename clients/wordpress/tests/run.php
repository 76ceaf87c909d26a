<?php

/** Tests the plugin as one file, in a stand-in for WordPress: `php tests/run.php`. */

declare(strict_types=1);

require __DIR__ . '/stand-in.php';

use Automattic\WooCommerce\StoreApi\Exceptions\RouteException;

const VECTORS = __DIR__ . '/../../vectors.json';
$vectors = json_decode((string) file_get_contents(VECTORS), true, flags: JSON_THROW_ON_ERROR);

// The plugin goes by the real time, so the tests sign their own tokens.
const SECRET = 'wordpress-test-secret-0123456789abcdef';
$encode = static fn (string $bytes): string => rtrim(strtr(base64_encode($bytes), '+/', '-_'), '=');
$token = static function (string $event, string $uid) use ($encode): string {
    $kid = substr($encode(hash('sha256', 'fairline key id:' . SECRET, true)), 0, 8);
    $claims = ['sub' => $event, 'uid' => $uid, 'jti' => 'a.1', 'iat' => time(), 'exp' => time() + 600];
    $signed = $encode(json_encode(['alg' => 'HS256', 'typ' => 'entry+jwt', 'kid' => $kid])) . '.' . $encode(json_encode($claims));
    return "$signed." . $encode(hash_hmac('sha256', $signed, SECRET, true));
};
$key = $encode(random_bytes(16));
$guest = 'guest:' . substr($encode(hash('sha256', "fairline guest $key", true)), 0, 16);
$guestCookie = 'fairline-guest=' . $encode('{}') . '.' . $encode(json_encode(['key' => $key])) . '.x';
$admittedTo = static fn (string $event): string => 'urr-entry-token=' . $token($event, $guest) . "; $guestCookie";

const FAIRLINE_JWKS_URL = 'https://line.example/.well-known/jwks.json';
const FAIRLINE_ENTRY_SECRET = SECRET;
const FAIRLINE_EVENT = 'concert';
require __DIR__ . '/../fairline.php';
do_action('plugins_loaded');

/** Product 1 follows the default, 2 is of another event, 3 needs no admission. */
function begin(string $cookie = '', string $page = 'home', string $uri = '/', int $product = 0, array $cart = []): void
{
    [Site::$page, Site::$product, Site::$cart, Site::$notices, Site::$headers] = [$page, $product, $cart, [], []];
    [Site::$isManager, Site::$locale] = [false, 'en_US'];
    Site::$fields = [2 => 'festival', 3 => 'none'];
    Site::$remote ??= static fn () => ['status' => 500, 'body' => ''];
    $_SERVER = ['REQUEST_METHOD' => 'GET', 'REQUEST_URI' => $uri] + ($cookie === '' ? [] : ['HTTP_COOKIE' => $cookie]);
}

/** What becomes of a page load. */
function loadPage(): string
{
    try {
        do_action('template_redirect');
    } catch (Answered $answered) {
        return $answered->getMessage();
    }
    return 'shown';
}

function expectSame(mixed $expected, mixed $got, string $what): void
{
    if ($expected !== $got) {
        throw new RuntimeException("$what: expected " . json_encode($expected) . ', got ' . json_encode($got));
    }
}

$thrown = static function (callable $work): ?Throwable {
    try {
        $work();
    } catch (Throwable $error) {
        return $error;
    }
    return null;
};

$tests = [
    'a product page sends visitors to wait, with the page that they wanted' => function (): void {
        begin(page: 'product', uri: '/product/ticket/?ref=1', product: 1);
        expectSame('302 /queue/concert?to=%2Fproduct%2Fticket%2F%3Fref%3D1', loadPage(), 'page');
        expectSame([true, ['no-store']], [defined('DONOTCACHEPAGE'), Site::$headers], 'caching');
    },
    'a product page is shown to an admitted visitor, with heartbeats' => function () use ($admittedTo): void {
        begin($admittedTo('concert'), 'product', '/product/ticket/', 1);
        expectSame('shown', loadPage(), 'page');
        ob_start();
        do_action('wp_footer');
        expectSame("<script src=\"/fairline.js\" data-event=\"concert\" defer></script>\n", ob_get_clean(), 'footer');
    },
    'a stolen token alone opens nothing' => function () use ($admittedTo): void {
        begin(explode('; ', $admittedTo('concert'))[0], 'product', '/p', 1);
        expectSame('302 /queue/concert?to=%2Fp', loadPage(), 'page');
    },
    'a product can have an event of its own, or none' => function () use ($admittedTo): void {
        begin($admittedTo('concert'), 'product', '/p', 2);
        expectSame('302 /queue/festival?to=%2Fp', loadPage(), 'another event');
        begin('', 'product', '/p', 3);
        expectSame('shown', loadPage(), 'none');
    },
    'the checkout needs the admission of everything in the cart' => function () use ($admittedTo): void {
        begin('', 'checkout', '/checkout/', cart: [3, 1]);
        expectSame('302 /queue/concert?to=%2Fcheckout%2F', loadPage(), 'nobody');
        begin($admittedTo('concert'), 'checkout', '/checkout/', cart: [3, 1]);
        expectSame('shown', loadPage(), 'admitted');
        begin($admittedTo('concert'), 'checkout', '/checkout/', cart: [1, 2]);
        expectSame('302 /queue/festival?to=%2Fcheckout%2F', loadPage(), 'two events');
        begin('', 'checkout', '/checkout/', cart: [3]);
        expectSame('shown', loadPage(), 'nothing that is protected');
    },
    'who posts a form is sent to wait by a GET' => function (): void {
        begin(page: 'product', uri: '/p', product: 1);
        $_SERVER['REQUEST_METHOD'] = 'POST';
        expectSame('303 /queue/concert?to=%2Fp', loadPage(), 'page');
    },
    'who comes back from the payment provider is left alone' => function (): void {
        foreach (['order-received', 'order-pay', 'home', 'cart', 'my-account'] as $page) {
            begin('', $page, '/checkout/order-received/7/?key=wc_order_x', cart: [1]);
            expectSame('shown', loadPage(), $page);
        }
    },
    'the plugin hooks into nothing that a payment callback, cron or the admin runs through' => function (): void {
        $ours = ['fairline_user', 'plugins_loaded', 'template_redirect', 'woocommerce_add_to_cart_validation',
            'woocommerce_before_checkout_process', 'woocommerce_store_api_checkout_update_order_from_request',
            'woocommerce_store_api_validate_add_to_cart', 'wp_footer'];
        expectSame([], array_values(array_diff(array_keys(Site::$hooks), $ours)), 'other hooks');
    },
    'nothing is put into the cart without an admission' => function () use ($admittedTo): void {
        begin();
        expectSame(false, apply_filters('woocommerce_add_to_cart_validation', true, 1, 1), 'nobody');
        $link = '<a href="/queue/concert?to=%2Fproduct%2F1%2F">Go to the waiting room</a>';
        expectSame(["error: You need to wait in line to buy this. $link"], Site::$notices, 'notice');
        begin($admittedTo('concert'));
        expectSame(true, apply_filters('woocommerce_add_to_cart_validation', true, 1, 1), 'admitted');
        expectSame(false, apply_filters('woocommerce_add_to_cart_validation', true, 2, 1), 'another event');
        expectSame(false, apply_filters('woocommerce_add_to_cart_validation', false, 1, 1), 'refused by another plugin');
        begin();
        Site::$locale = 'ko_KR';
        apply_filters('woocommerce_add_to_cart_validation', true, 1, 1);
        expectSame(true, str_contains(Site::$notices[0], '대기실로 이동'), 'in Korean');
    },
    'no order is placed without an admission' => function () use ($admittedTo, $thrown): void {
        begin(cart: [1]);
        $error = $thrown(fn () => do_action('woocommerce_before_checkout_process'));
        expectSame(true, str_contains((string) $error?->getMessage(), '/queue/concert?to=%2Fcheckout%2F'), 'nobody');
        begin($admittedTo('concert'), cart: [1]);
        expectSame(null, $thrown(fn () => do_action('woocommerce_before_checkout_process')), 'admitted');
    },
    'the Store API is protected too' => function () use ($admittedTo, $thrown): void {
        $add = fn (WC_Product $product) => $thrown(fn () => do_action('woocommerce_store_api_validate_add_to_cart', $product, []));
        $order = fn (int ...$ids) => $thrown(fn () => do_action('woocommerce_store_api_checkout_update_order_from_request', new WC_Order($ids), []));
        begin();
        $error = $add(new WC_Product(1));
        expectSame([RouteException::class, 403, '/queue/concert'], [get_class($error), $error->status, $error->data['redirectTo']], 'cart');
        expectSame('/queue/festival', $add(new WC_Product(77, 2))?->data['redirectTo'], 'a variation goes by its product');
        expectSame('/queue/concert', $order(3, 1)?->data['redirectTo'], 'order');
        begin($admittedTo('concert'));
        expectSame([null, null], [$add(new WC_Product(1)), $order(1, 3)], 'admitted');
        expectSame('/queue/festival', $order(1, 2)?->data['redirectTo'], 'order of two events');
    },
    'shop managers pass' => function (): void {
        begin(page: 'product', uri: '/p', product: 1);
        Site::$isManager = true;
        expectSame('shown', loadPage(), 'page');
    },
    'a site can name its users' => function () use ($token): void {
        begin('urr-entry-token=' . $token('concert', 'user-7'), 'product', '/p', 1);
        expectSame('302 /queue/concert?to=%2Fp', loadPage(), 'guest');
        add_filter('fairline_user', fn () => 'user-7');
        expectSame('shown', loadPage(), 'user');
        unset(Site::$hooks['fairline_user']);
    },
    'keys come from the line and are kept in the options' => function () use ($vectors): void {
        $asked = [];
        Site::$remote = static function (string $url, array $options) use (&$asked, $vectors): array {
            $asked[] = [$url, $options['timeout'], $options['redirection']];
            return ['status' => 200, 'body' => json_encode($vectors['jwks'])];
        };
        unset(Site::$options['fairline_keys']);
        // Tokens of the vectors end in 2027. Whether or not that has come, their keys must be found.
        $reasons = [];
        add_action('fairline_refused', function ($refused) use (&$reasons): void {
            $reasons[] = $refused->reason;
        });
        foreach ([0, 1] as $index) {
            begin($vectors['vectors'][$index]['cookie'], 'product', '/p', 1);
            loadPage();
        }
        expectSame([[FAIRLINE_JWKS_URL, 2, 0]], $asked, 'fetched once');
        expectSame(true, is_string(Site::$options['fairline_keys']['document']), 'kept');
        expectSame([], array_diff($reasons, ['time']), 'reasons other than the time');
        Site::$hooks['fairline_refused'] = [];
    },
];

$failed = 0;
foreach ($tests as $name => $test) {
    try {
        $test();
    } catch (Throwable $error) {
        $failed += 1;
        echo "FAILED: $name\n  {$error->getMessage()} ({$error->getFile()}:{$error->getLine()})\n";
    }
}
echo count($tests) - $failed, ' passed, ', $failed, " failed\n";
exit($failed === 0 ? 0 : 1);
