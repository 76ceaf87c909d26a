# One CloudFront distribution for tier 1, the line, and the site behind the gate.

locals {
  # Managed policies of AWS, with their documented names.
  no_caching    = "4135ea2d-6df8-44a3-9df3-4b5a84be39ad" # CachingDisabled
  cached        = "658327ea-f89d-4fab-a63d-7e88639e58f6" # CachingOptimized
  everything    = "216adef6-5c7f-47e4-b989-5492eafa07d3" # AllViewer
  but_for_host  = "b689b0a8-53d0-40ab-baf2-68738e2966ac" # AllViewerExceptHostHeader
  all_methods   = ["GET", "HEAD", "OPTIONS", "PUT", "POST", "PATCH", "DELETE"]
  api_host      = replace(aws_apigatewayv2_api.vwr.api_endpoint, "https://", "")
  to_tier1      = ["/vwr/*", "/vwr-api/*"]
  to_line       = ["/queue/*", "/draw/*", "/api/queue/*", "/api/v1/queue/*", "/events/*/tickets/waiting", "/api/v1/events/*/tickets/waiting"]
  static_bucket = "${var.prefix}-static-${data.aws_caller_identity.me.account_id}"
}

data "aws_caller_identity" "me" {}

# The error page for when all origins are down.
resource "aws_s3_bucket" "static" {
  bucket = local.static_bucket
}

resource "aws_s3_bucket_public_access_block" "static" {
  bucket                  = aws_s3_bucket.static.id
  block_public_acls       = true
  block_public_policy     = true
  ignore_public_acls      = true
  restrict_public_buckets = true
}

resource "aws_s3_object" "sorry" {
  bucket        = aws_s3_bucket.static.id
  key           = "static/sorry.html"
  source        = "${path.module}/sorry.html"
  etag          = filemd5("${path.module}/sorry.html")
  content_type  = "text/html; charset=utf-8"
  cache_control = "public, max-age=60"
}

resource "aws_cloudfront_origin_access_control" "static" {
  name                              = "${var.prefix}-static"
  origin_access_control_origin_type = "s3"
  signing_behavior                  = "always"
  signing_protocol                  = "sigv4"
}

data "aws_iam_policy_document" "static" {
  statement {
    actions   = ["s3:GetObject"]
    resources = ["${aws_s3_bucket.static.arn}/static/*"]
    principals {
      type        = "Service"
      identifiers = ["cloudfront.amazonaws.com"]
    }
    condition {
      test     = "StringEquals"
      variable = "AWS:SourceArn"
      values   = [aws_cloudfront_distribution.site.arn]
    }
  }
}

resource "aws_s3_bucket_policy" "static" {
  bucket = aws_s3_bucket.static.id
  policy = data.aws_iam_policy_document.static.json
}

resource "aws_cloudfront_distribution" "site" {
  enabled         = true
  is_ipv6_enabled = true
  http_version    = "http2and3"
  aliases         = [var.site]

  origin {
    origin_id   = "site"
    domain_name = var.site_origin
    custom_origin_config {
      http_port              = 80
      https_port             = 443
      origin_protocol_policy = "https-only"
      origin_ssl_protocols   = ["TLSv1.2"]
    }
  }

  origin {
    origin_id   = "line"
    domain_name = var.line_origin
    custom_origin_config {
      http_port              = 80
      https_port             = 443
      origin_protocol_policy = "https-only"
      origin_ssl_protocols   = ["TLSv1.2"]
      # Streams send a heartbeat every 15 s.
      origin_read_timeout = 60
    }
  }

  origin {
    origin_id   = "tier1"
    domain_name = local.api_host
    custom_origin_config {
      http_port              = 80
      https_port             = 443
      origin_protocol_policy = "https-only"
      origin_ssl_protocols   = ["TLSv1.2"]
    }
  }

  origin {
    origin_id                = "static"
    domain_name              = aws_s3_bucket.static.bucket_regional_domain_name
    origin_access_control_id = aws_cloudfront_origin_access_control.static.id
  }

  dynamic "ordered_cache_behavior" {
    for_each = local.to_tier1
    content {
      path_pattern             = ordered_cache_behavior.value
      target_origin_id         = "tier1"
      allowed_methods          = local.all_methods
      cached_methods           = ["GET", "HEAD"]
      viewer_protocol_policy   = "redirect-to-https"
      cache_policy_id          = local.no_caching
      origin_request_policy_id = local.but_for_host
    }
  }

  dynamic "ordered_cache_behavior" {
    for_each = local.to_line
    content {
      path_pattern             = ordered_cache_behavior.value
      target_origin_id         = "line"
      allowed_methods          = local.all_methods
      cached_methods           = ["GET", "HEAD"]
      viewer_protocol_policy   = "redirect-to-https"
      cache_policy_id          = local.no_caching
      origin_request_policy_id = local.everything
    }
  }

  ordered_cache_behavior {
    path_pattern           = "/static/*"
    target_origin_id       = "static"
    allowed_methods        = ["GET", "HEAD"]
    cached_methods         = ["GET", "HEAD"]
    viewer_protocol_policy = "redirect-to-https"
    cache_policy_id        = local.cached
  }

  # All other paths go through the gate to the site.
  default_cache_behavior {
    target_origin_id         = "site"
    allowed_methods          = local.all_methods
    cached_methods           = ["GET", "HEAD"]
    viewer_protocol_policy   = "redirect-to-https"
    cache_policy_id          = local.no_caching
    origin_request_policy_id = local.everything

    lambda_function_association {
      event_type   = "viewer-request"
      lambda_arn   = aws_lambda_function.gate.qualified_arn
      include_body = false
    }
  }

  custom_error_response {
    error_code            = 502
    response_code         = 503
    response_page_path    = "/static/sorry.html"
    error_caching_min_ttl = 1
  }

  custom_error_response {
    error_code            = 504
    response_code         = 503
    response_page_path    = "/static/sorry.html"
    error_caching_min_ttl = 1
  }

  viewer_certificate {
    acm_certificate_arn      = var.certificate_arn
    ssl_support_method       = "sni-only"
    minimum_protocol_version = "TLSv1.2_2021"
  }

  restrictions {
    geo_restriction {
      restriction_type = "none"
    }
  }
}

output "cloudfront_name" {
  description = "Target of the site's DNS record."
  value       = aws_cloudfront_distribution.site.domain_name
}
