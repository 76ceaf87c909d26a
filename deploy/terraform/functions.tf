# The tier 1 API and the scheduled advancer.

locals {
  settings = {
    VWR_STORE           = "dynamodb"
    VWR_DYNAMODB_PREFIX = var.prefix
    VWR_TOKEN_SECRET    = var.vwr_token_secret
    VWR_BATCH_SIZE      = tostring(var.batch_size)
    VWR_CYCLE_MS        = tostring(var.cycle_ms)
    TRUST_PROXY         = join(",", var.cdn_ranges)
    COOKIE_SECURE       = "on"
    TRUSTED_ORIGINS     = "https://${var.site}"
  }
}

data "aws_iam_policy_document" "lambda" {
  statement {
    actions = ["sts:AssumeRole"]
    principals {
      type        = "Service"
      identifiers = ["lambda.amazonaws.com", "edgelambda.amazonaws.com"]
    }
  }
}

resource "aws_iam_role" "functions" {
  name               = "${var.prefix}-vwr"
  assume_role_policy = data.aws_iam_policy_document.lambda.json
}

resource "aws_iam_role_policy_attachment" "logs" {
  role       = aws_iam_role.functions.name
  policy_arn = "arn:aws:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole"
}

# The functions may only use these tables.
data "aws_iam_policy_document" "tables" {
  statement {
    actions = ["dynamodb:GetItem", "dynamodb:BatchGetItem", "dynamodb:Query", "dynamodb:PutItem", "dynamodb:UpdateItem", "dynamodb:BatchWriteItem"]
    resources = [
      aws_dynamodb_table.counters.arn,
      "${aws_dynamodb_table.counters.arn}/index/*",
      aws_dynamodb_table.positions.arn,
      "${aws_dynamodb_table.positions.arn}/index/*",
    ]
  }
}

resource "aws_iam_role_policy" "tables" {
  role   = aws_iam_role.functions.name
  policy = data.aws_iam_policy_document.tables.json
}

resource "aws_lambda_function" "api" {
  function_name    = "${var.prefix}-vwr-api"
  role             = aws_iam_role.functions.arn
  runtime          = "nodejs22.x"
  architectures    = ["arm64"]
  handler          = "dist/lambda/vwr-api.handler"
  filename         = var.package
  source_code_hash = filebase64sha256(var.package)
  memory_size      = 512
  timeout          = 10

  environment {
    variables = local.settings
  }
}

resource "aws_lambda_function" "advancer" {
  function_name    = "${var.prefix}-counter-advancer"
  role             = aws_iam_role.functions.arn
  runtime          = "nodejs22.x"
  architectures    = ["arm64"]
  handler          = "dist/lambda/counter-advancer.handler"
  filename         = var.package
  source_code_hash = filebase64sha256(var.package)
  memory_size      = 256
  # Each invocation runs one pass per second until the next one is due.
  timeout                        = 65
  reserved_concurrent_executions = 2

  environment {
    variables = local.settings
  }
}

resource "aws_cloudwatch_event_rule" "minute" {
  name                = "${var.prefix}-counter-advancer"
  schedule_expression = "rate(1 minute)"
}

resource "aws_cloudwatch_event_target" "advancer" {
  rule = aws_cloudwatch_event_rule.minute.name
  arn  = aws_lambda_function.advancer.arn
}

resource "aws_lambda_permission" "advancer" {
  action        = "lambda:InvokeFunction"
  function_name = aws_lambda_function.advancer.function_name
  principal     = "events.amazonaws.com"
  source_arn    = aws_cloudwatch_event_rule.minute.arn
}

resource "aws_apigatewayv2_api" "vwr" {
  name          = "${var.prefix}-vwr"
  protocol_type = "HTTP"
}

resource "aws_apigatewayv2_integration" "vwr" {
  api_id                 = aws_apigatewayv2_api.vwr.id
  integration_type       = "AWS_PROXY"
  integration_uri        = aws_lambda_function.api.invoke_arn
  payload_format_version = "2.0"
}

resource "aws_apigatewayv2_route" "vwr" {
  api_id    = aws_apigatewayv2_api.vwr.id
  route_key = "$default"
  target    = "integrations/${aws_apigatewayv2_integration.vwr.id}"
}

resource "aws_apigatewayv2_stage" "vwr" {
  api_id      = aws_apigatewayv2_api.vwr.id
  name        = "$default"
  auto_deploy = true
}

resource "aws_lambda_permission" "api" {
  action        = "lambda:InvokeFunction"
  function_name = aws_lambda_function.api.function_name
  principal     = "apigateway.amazonaws.com"
  source_arn    = "${aws_apigatewayv2_api.vwr.execution_arn}/*"
}

# The gate in Lambda@Edge.
resource "aws_lambda_function" "gate" {
  provider         = aws.edge
  function_name    = "${var.prefix}-edge-queue-check"
  role             = aws_iam_role.functions.arn
  runtime          = "nodejs22.x"
  handler          = "index.handler"
  filename         = var.edge_package
  source_code_hash = filebase64sha256(var.edge_package)
  publish          = true
}
