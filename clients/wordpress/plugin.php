<?php

/** A WordPress plugin that protects WooCommerce. make-plugin.mjs makes one file of it and the client: fairline.php. */

declare(strict_types=1);

namespace Fairline;

use Automattic\WooCommerce\StoreApi\Exceptions\RouteException;

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
